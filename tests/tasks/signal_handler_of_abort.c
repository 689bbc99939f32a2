// abort runs the handler of SIGABRT, and ends the process when it returns.
#include <signal.h>
#include <stdlib.h>

void reach_error(void) {}

static volatile sig_atomic_t seen;

static void handler(int number) { seen = number; }

int main(void) {
  signal(SIGABRT, handler);
  abort();
  reach_error();
  return 0;
}
