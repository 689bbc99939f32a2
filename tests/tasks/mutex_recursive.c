// A recursive mutex may be locked again by its owner and is free only after as many unlocks.
// Safe: the other thread's trylock fails until the second unlock.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m;
int outer_done;

void *trying(void *arg) {
  if (pthread_mutex_trylock(&m) == 0) {
    if (outer_done != 1)
      reach_error();
    pthread_mutex_unlock(&m);
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &attributes);
  pthread_mutex_lock(&m);
  if (pthread_mutex_lock(&m) != 0 || pthread_mutex_trylock(&m) != 0)
    reach_error();
  pthread_create(&t, 0, trying, 0);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  outer_done = 1;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
