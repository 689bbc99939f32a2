// raise returns after the handler; a signal that is blocked stays pending, once, until it is unblocked.
#include <signal.h>
#include <stddef.h>

extern void abort(void);
void reach_error(void) {}

static volatile sig_atomic_t last;

static void handler(int number) { last = number; }

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGSEGV);
  signal(SIGSEGV, handler); // it is not sent from outside
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGSEGV);
  raise(SIGSEGV);
  if (last != 0) reach_error();
  sigprocmask(SIG_UNBLOCK, &set, NULL);
  if (last != SIGSEGV) reach_error();
  last = 0;
  raise(SIGSEGV);
  if (last != SIGSEGV) reach_error();
  return 0;
}
