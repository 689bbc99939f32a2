// A thread tries a mutex that main holds and fails if it did not get it.
// Unsafe: trylock never blocks, so a lock-pattern argument ("the section must wait for the unlock") does not apply.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *trying(void *arg) {
  if (pthread_mutex_trylock(&m) != 0)
    reach_error();
  else
    pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, trying, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
