// Four threads from one create statement in a loop; the error needs all four.
// Unsafe: a bound of three threads misses it and must be reported.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

_Atomic int started;

void *starting(void *arg) {
  if (++started == 4)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 4; i++)
    pthread_create(&t, 0, starting, 0);
  pthread_exit(0);
}
