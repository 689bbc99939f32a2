// A barrier for three is reached by two threads only: they block for ever.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_barrier_t barrier;

void *passing(void *arg) {
  pthread_barrier_wait(&barrier);
  reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, 0, 3);
  pthread_create(&t, 0, passing, 0);
  passing(0);
  pthread_join(t, 0);
  return 0;
}
