// Handlers for signals whose numbers are not constants.
#include <signal.h>

extern void abort(void);
void reach_error(void) {}

static const int numbers[] = {SIGINT, SIGTERM};

static void handler(int number) {
  if (number == SIGTERM) reach_error();
}

int main(void) {
  for (int i = 0; i < 2; i++) signal(numbers[i], handler);
  return 0;
}
