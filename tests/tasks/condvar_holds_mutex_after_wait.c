// When wait returns, the mutex is held again: no thread is in the middle of a critical section.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, middle;

void *producing(void *arg) {
  pthread_mutex_lock(&m);
  middle = 1;
  ready = 1;
  pthread_cond_broadcast(&c);
  middle = 0;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producing, 0);
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_wait(&c, &m);
  if (middle)
    reach_error();
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
