// The thread that a handler interrupts does not go on before the handler returns: main never sees it half done.
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
  int b = second, a = first;
  if (b && !a) reach_error(); // `second` was written after `first`
  a = first, b = second;
  if (a && !b) reach_error(); // nor was `second` missing when `first` was there
  return 0;
}
