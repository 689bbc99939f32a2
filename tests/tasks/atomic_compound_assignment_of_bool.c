// A _Bool holds 0 or 1, whatever is added to it. Clang 19 stores eight bits of the sum, and then waits for ever in the
// second assignment: the error is reached all the same.
#include <pthread.h>

void reach_error(void) {}

_Atomic _Bool busy;

void *enter(void *arg) {
  busy += 2;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, enter, 0);
  pthread_join(t, 0);
  busy -= 1;
  if (!busy) reach_error();
  return 0;
}
