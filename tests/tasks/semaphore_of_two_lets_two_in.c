// A semaphore that starts at two lets both threads in.
#include <pthread.h>
#include <semaphore.h>

extern void abort(void);
void reach_error(void) {}

sem_t s;
int x;

void *increment(void *arg) {
  sem_wait(&s);
  x++;
  sem_post(&s);
  return 0;
}

int main(void) {
  pthread_t t;
  sem_init(&s, 0, 2);
  pthread_create(&t, 0, increment, 0);
  increment(0);
  pthread_join(t, 0);
  if (x != 2)
    reach_error();
  return 0;
}
