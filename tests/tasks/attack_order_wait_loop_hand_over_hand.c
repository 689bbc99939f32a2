// A loop with two locks that overlap, released in the order in which they were taken.
// Safe: both locks are needed to look, and there is no moment inside the loop at which both are free.
#include <pthread.h>

void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int f, g;

void *t(void *x) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  g = f;
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  pthread_mutex_lock(&m);
  for (int i = 0; i < 2; i++) {
    f++;
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&n);
  }
  pthread_mutex_unlock(&m);
  pthread_join(p, 0);
  if (g == 1)
    reach_error();
  return 0;
}
