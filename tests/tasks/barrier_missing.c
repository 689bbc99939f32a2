// As barrier_separates_phases, without the barrier.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int cells[2];

void *phases(void *arg) {
  int me = *(int *)arg;
  cells[me] = 1;
  if (cells[!me] != 1)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  int zero = 0, one = 1;
  pthread_create(&t, 0, phases, &one);
  phases(&zero);
  pthread_join(t, 0);
  return 0;
}
