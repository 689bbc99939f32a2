// The mask is not saved, or is the same: a jump leaves it alone.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static sigjmp_buf start, later;

int main(void) {
  sigset_t set, now;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  if (sigsetjmp(start, 0) == 0) {
    sigprocmask(SIG_BLOCK, &set, NULL);
    siglongjmp(start, 1);
  }
  if (sigsetjmp(later, 1) == 0) siglongjmp(later, 1);
  sigprocmask(SIG_BLOCK, NULL, &now);
  assert(sigismember(&now, SIGUSR1));
  return 0;
}
