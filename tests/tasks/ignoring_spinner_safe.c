// As ignoring_spinner_hides_bug, but the check of the other thread holds: only it writes `step`.
// Safe, and no deadlock either: the spinner can always take another step.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int step;

void *spinner(void *arg) {
  int local = 0;
  for (;;)
    local ^= 1;
  return 0;
}

void *counting(void *arg) {
  step = 1;
  step = 2;
  step = 3;
  if (step != 3)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, spinner, 0);
  pthread_create(&b, 0, counting, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
