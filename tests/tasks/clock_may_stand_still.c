// Two readings of CLOCK_MONOTONIC may be equal.
#include <assert.h>
#include <pthread.h>
#include <time.h>

int main(void) {
  struct timespec first, second;
  clock_gettime(CLOCK_MONOTONIC, &first);
  clock_gettime(CLOCK_MONOTONIC, &second);
  assert(second.tv_sec != first.tv_sec || second.tv_nsec != first.tv_nsec);
  return 0;
}
