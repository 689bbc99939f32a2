// What is left of a sleep that a signal ended is not more than was asked for.
#include <assert.h>
#include <signal.h>
#include <time.h>

static void handler(int number) { (void)number; }

int main(void) {
  signal(SIGUSR1, handler);
  struct timespec length = {2, 5}, left = {0, 0};
  if (nanosleep(&length, &left) != 0) assert(left.tv_sec < 2 || (left.tv_sec == 2 && left.tv_nsec <= 5));
  return 0;
}
