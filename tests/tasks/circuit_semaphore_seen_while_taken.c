// The taker only touches the semaphore, and gives it back at once. The looker does not wait for it: it sees its value.
#include <pthread.h>
#include <semaphore.h>

void reach_error(void) {}

sem_t s;

void *taker(void *arg) {
  sem_wait(&s);
  sem_post(&s);
  return 0;
}

void *looker(void *arg) {
  int value;
  sem_getvalue(&s, &value);
  if (value == 0)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 1);
  pthread_create(&a, 0, taker, 0);
  pthread_create(&b, 0, looker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
