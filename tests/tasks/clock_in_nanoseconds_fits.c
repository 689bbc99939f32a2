// What CLOCK_MONOTONIC shows, in nanoseconds, is a number of 64 bits.
#include <assert.h>
#include <stdint.h>
#include <time.h>

int main(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  assert(time.tv_sec <= INT64_MAX / 1000000000 - 1);
  return 0;
}
