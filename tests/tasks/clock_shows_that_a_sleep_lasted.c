// A sleep lasts at least as long as it should, on CLOCK_MONOTONIC.
#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  sleep(3);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(after.tv_sec - before.tv_sec >= 3);
  return 0;
}
