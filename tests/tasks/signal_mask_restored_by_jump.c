// siglongjmp restores the mask that sigsetjmp has saved, so that the assertion holds. This is not modelled.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static sigjmp_buf start;

int main(void) {
  sigset_t set, now;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  if (sigsetjmp(start, 1) == 0) {
    sigprocmask(SIG_BLOCK, &set, NULL);
    siglongjmp(start, 1);
  }
  sigprocmask(SIG_BLOCK, NULL, &now);
  assert(!sigismember(&now, SIGUSR1));
  return 0;
}
