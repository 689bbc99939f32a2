// A loop that takes and releases a lock until a flag is set, beside a destruction of the lock.
// Unsafe: destroying a held mutex gives EBUSY.
#include <pthread.h>

void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int f;

void *t(void *x) {
  if (pthread_mutex_destroy(&m))
    reach_error();
  f = 1;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  for (;;) {
    pthread_mutex_lock(&m);
    int d = f;
    pthread_mutex_unlock(&m);
    if (d)
      break;
  }
  return 0;
}
