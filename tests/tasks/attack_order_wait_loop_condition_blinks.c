// A waiting loop around a condition variable that changes a counter and changes it back, which is read without the
// lock.
// Unsafe: the value in between can be seen.
#include <pthread.h>

void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int f, waiting;

void *t(void *x) {
  int w = waiting;
  pthread_mutex_lock(&m);
  f = 1;
  pthread_mutex_unlock(&m);
  if (w == 1)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  pthread_mutex_lock(&m);
  while (!f) {
    waiting++;
    waiting--;
    pthread_cond_wait(&c, &m);
  }
  pthread_mutex_unlock(&m);
  return 0;
}
