// sigwait may return any signal of its set.
#include <signal.h>
#include <stddef.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  sigset_t set;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  sigwait(&set, &number);
  if (number == SIGTERM) reach_error();
  return 0;
}
