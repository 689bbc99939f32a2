// A loop that takes and releases a lock until a flag is set, beside a trylock.
// Unsafe: the trylock tells that the lock is held; the rounds are not without effect.
#include <pthread.h>

void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
volatile int f, seen;

void *t(void *x) {
  if (pthread_mutex_trylock(&m))
    seen = 1;
  else
    pthread_mutex_unlock(&m);
  f = 1;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  for (;;) {
    pthread_mutex_lock(&m);
    int d = f;
    pthread_mutex_unlock(&m);
    if (d)
      break;
  }
  if (seen)
    reach_error();
  return 0;
}
