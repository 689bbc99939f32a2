// The predicate is set and signalled without the mutex.
// Deadlock: the signal falls between the waiter's test of the predicate and its wait.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
_Atomic int ready;

void *producing(void *arg) {
  ready = 1;
  pthread_cond_signal(&c);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producing, 0);
  pthread_mutex_lock(&m);
  while (!ready)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
