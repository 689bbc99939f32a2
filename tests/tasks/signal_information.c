// A handler with SA_SIGINFO gets the number in its information, too.
#include <signal.h>
#include <stddef.h>

extern void abort(void);
void reach_error(void) {}

static void handler(int number, siginfo_t *information, void *context) {
  (void)context;
  if (number != SIGUSR2 || information->si_signo != number) reach_error();
}

int main(void) {
  struct sigaction action = {0};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR2, &action, NULL);
  return 0;
}
