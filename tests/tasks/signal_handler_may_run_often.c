// A signal may come any number of times.
#include <signal.h>

extern void abort(void);
void reach_error(void) {}

static volatile sig_atomic_t count;

static void handler(int number) {
  (void)number;
  if (count < 4) count++;
}

int main(void) {
  signal(SIGALRM, handler);
  if (count == 3) reach_error();
  return 0;
}
