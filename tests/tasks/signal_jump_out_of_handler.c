// A jump out of a signal handler is not modelled.
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

extern void abort(void);
void reach_error(void) {}

static sigjmp_buf back;

static void handler(int number) {
  (void)number;
  siglongjmp(back, 1);
}

int main(void) {
  if (sigsetjmp(back, 1)) return 0;
  signal(SIGINT, handler);
  pause();
  return 0;
}
