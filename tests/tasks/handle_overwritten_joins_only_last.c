// One pthread_t variable is overwritten by a second create; the join waits for the second thread only.
// Unsafe: the first thread may not have run when main looks.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int first_done, second_done;

void *first(void *arg) {
  first_done = 1;
  return 0;
}

void *second(void *arg) {
  second_done = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(t, 0);
  if (!second_done) // never
    abort();
  if (!first_done)
    reach_error();
  return 0;
}
