// Three threads join each other in a circle.
#include <pthread.h>
#include <semaphore.h>

extern void abort(void);
void reach_error(void) {}

pthread_t threads[3];
sem_t all_created;

void *joining(void *arg) {
  pthread_t *next = arg;
  sem_wait(&all_created);
  pthread_join(*next, 0);
  reach_error();
  return 0;
}

int main(void) {
  sem_init(&all_created, 0, 0);
  pthread_create(&threads[0], 0, joining, &threads[1]);
  pthread_create(&threads[1], 0, joining, &threads[2]);
  pthread_create(&threads[2], 0, joining, &threads[0]);
  sem_post(&all_created);
  sem_post(&all_created);
  sem_post(&all_created);
  pthread_exit(0);
}
