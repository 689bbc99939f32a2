// A home-made once: the flag is tested and set without a lock.
// Unsafe: both threads may initialise.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int initialised, calls;

void *user(void *arg) {
  if (!initialised) {
    initialised = 1;
    calls++;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, user, 0);
  user(0);
  pthread_join(t, 0);
  if (calls == 2)
    reach_error();
  return 0;
}
