// The ignoring problem with a spinner that writes shared memory that no other thread reads.
// Unsafe: its cycle of states must contain a state where the faulty thread is expanded too.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int toggled, step;

void *spinner(void *arg) {
  for (;;)
    toggled = !toggled;
  return 0;
}

void *faulty(void *arg) {
  step = 1;
  if (step == 1)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, spinner, 0);
  pthread_create(&b, 0, faulty, 0);
  pthread_join(b, 0);
  return 0;
}
