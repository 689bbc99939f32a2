// A handler runs also while its thread goes round in a loop that touches nothing.
#include <signal.h>

extern void abort(void);
void reach_error(void) {}

static int count;

static void handler(int number) {
  (void)number;
  if (++count == 2) reach_error();
}

int main(void) {
  signal(SIGINT, handler);
  for (;;) continue;
}
