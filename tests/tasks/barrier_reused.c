// The same barrier is used twice in a row: no thread enters the second round while another is still in the first.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_barrier_t barrier;
int value;

void *second_writer(void *arg) {
  pthread_barrier_wait(&barrier);
  if (value != 1)
    reach_error();
  pthread_barrier_wait(&barrier);
  value = 2;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&t, 0, second_writer, 0);
  value = 1;
  pthread_barrier_wait(&barrier);
  if (value != 1)
    reach_error();
  pthread_barrier_wait(&barrier);
  pthread_join(t, 0);
  if (value != 2)
    reach_error();
  return 0;
}
