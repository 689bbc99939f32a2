// sigwait returns a signal of its set, sigsuspend and pause return after a handler. Waiting for the environment is no
// deadlock.
#include <signal.h>
#include <unistd.h>

extern void abort(void);
void reach_error(void) {}

static volatile sig_atomic_t seen;

static void handler(int number) { seen = number; }

int main(void) {
  sigset_t set, old;
  int number;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, &old);
  sigwait(&set, &number);
  if (number != SIGTERM && number != SIGUSR1) reach_error();
  signal(SIGUSR1, handler);
  while (!seen) sigsuspend(&old);
  if (seen != SIGUSR1) reach_error();
  sigprocmask(SIG_SETMASK, &old, NULL);
  seen = 0;
  pause();
  if (seen == 0) reach_error();
  return 0;
}
