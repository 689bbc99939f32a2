// A writes x; B waits for a semaphore and requires A's write; C posts the semaphore without waiting for A.
// Unsafe: the blocked B must pull C, which may enable it, into the closure of {A}.
#include <pthread.h>
#include <semaphore.h>

extern void abort(void);
void reach_error(void) {}

sem_t go;
int x;

void *writer(void *arg) {
  x = 1;
  return 0;
}

void *checker(void *arg) {
  sem_wait(&go);
  if (x != 1)
    reach_error();
  return 0;
}

void *releaser(void *arg) {
  sem_post(&go);
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  sem_init(&go, 0, 0);
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, checker, 0);
  pthread_create(&c, 0, releaser, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}
