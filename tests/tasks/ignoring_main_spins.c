// The ignoring problem with main as the spinner: main never gets beyond an empty loop.
// Unsafe: the created thread can run at any time.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int ready;

void *faulty(void *arg) {
  ready = 1;
  ready = 2;
  if (ready == 2)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, faulty, 0);
  while (1)
    ;
  return 0;
}
