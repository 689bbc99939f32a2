// A handler may be interrupted by that of another signal.
#include <signal.h>

extern void abort(void);
void reach_error(void) {}

static volatile sig_atomic_t inside;

static void outer(int number) {
  inside = number;
  inside = 0;
}

static void inner(int number) {
  (void)number;
  if (inside) reach_error();
}

int main(void) {
  signal(SIGUSR1, outer);
  signal(SIGUSR2, inner);
  return 0;
}
