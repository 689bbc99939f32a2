// A handler runs between any two accesses of the thread that it interrupts: main may read `first` before and `second`
// after it. The two do not race, because the handler runs in main's thread.
#include <signal.h>

extern void abort(void);
void reach_error(void) {}

volatile sig_atomic_t first, second;

static void count(int number) {
  (void)number;
  first = 1;
  second = 1;
}

int main(void) {
  signal(SIGINT, count);
  int a = first, b = second;
  if (a != b) reach_error();
  return 0;
}
