// With SA_RESETHAND the first signal resets the handler; the second one ends the process.
#include <signal.h>
#include <stddef.h>

extern void abort(void);
void reach_error(void) {}

static volatile sig_atomic_t count;

static void handler(int number) {
  (void)number;
  count++;
  if (count == 2) reach_error();
}

int main(void) {
  struct sigaction action = {0};
  action.sa_handler = handler;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGALRM, &action, NULL);
  if (count > 1) reach_error();
  return 0;
}
