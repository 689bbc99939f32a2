// As signal_without_handler: a signal that is ignored ends nothing.
#include <signal.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  signal(SIGTERM, SIG_IGN);
  raise(SIGTERM);
  reach_error();
  return 0;
}
