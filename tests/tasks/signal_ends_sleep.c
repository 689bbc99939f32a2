// A handler that runs during a sleep ends it early.
#include <signal.h>
#include <unistd.h>

extern void abort(void);
void reach_error(void) {}

static void handler(int number) { (void)number; }

int main(void) {
  signal(SIGUSR1, handler);
  if (sleep(10) != 0) reach_error();
  return 0;
}
