// The ignoring problem: one thread loops for ever on local work, another fails after three steps.
// Unsafe: a reduction that keeps choosing the spinner, whose steps are independent of everything, misses the error.
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

void *faulty(void *arg) {
  step = 1;
  step = 2;
  step = 3;
  if (step == 3)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, spinner, 0);
  pthread_create(&b, 0, faulty, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
