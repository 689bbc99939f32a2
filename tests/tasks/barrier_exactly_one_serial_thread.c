// Exactly one of the threads that leave a barrier gets PTHREAD_BARRIER_SERIAL_THREAD, the others zero.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_barrier_t barrier;
_Atomic int serial, zero;

void *passing(void *arg) {
  int result = pthread_barrier_wait(&barrier);
  if (result == PTHREAD_BARRIER_SERIAL_THREAD)
    serial++;
  else if (result == 0)
    zero++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&t, 0, passing, 0);
  passing(0);
  pthread_join(t, 0);
  if (serial != 1 || zero != 1)
    reach_error();
  pthread_barrier_destroy(&barrier);
  return 0;
}
