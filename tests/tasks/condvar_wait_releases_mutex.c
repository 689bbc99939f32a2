// What was checked before a wait need not hold after it: wait releases the mutex.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, other;

void *producing(void *arg) {
  pthread_mutex_lock(&m);
  other = 1;
  ready = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producing, 0);
  pthread_mutex_lock(&m);
  int before = other;
  while (!ready)
    pthread_cond_wait(&c, &m);
  if (before != other)
    reach_error();
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
