// Each thread writes its cell before the barrier and reads the other's behind it.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_barrier_t barrier;
int cells[2];

void *phases(void *arg) {
  int me = *(int *)arg;
  cells[me] = 1;
  pthread_barrier_wait(&barrier);
  if (cells[!me] != 1)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  int zero = 0, one = 1;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&t, 0, phases, &one);
  phases(&zero);
  pthread_join(t, 0);
  return 0;
}
