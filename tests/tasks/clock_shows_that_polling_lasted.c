// poll waits for as long as it is asked to if no descriptor gets ready.
#include <assert.h>
#include <poll.h>
#include <time.h>

int main(void) {
  struct pollfd input = {.fd = 0, .events = POLLIN};
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  int ready = poll(&input, 1, 1500);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(ready != 0 || after.tv_sec > before.tv_sec);
  return 0;
}
