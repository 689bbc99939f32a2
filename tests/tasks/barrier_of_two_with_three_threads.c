// A barrier for two lets a pair pass as soon as two have arrived; the third thread's write may be missing.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_barrier_t barrier;
_Atomic int arrived;

void *passing(void *arg) {
  arrived++;
  pthread_barrier_wait(&barrier);
  if (arrived != 3)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, passing, 0);
  pthread_create(&b, 0, passing, 0);
  passing(0);
  return 0;
}
