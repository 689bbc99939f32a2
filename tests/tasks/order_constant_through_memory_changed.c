// Like order_constant_through_memory, but one thread lowers the bound when it is done: the other may stop early.
// Unsafe.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int bound; // the same for all threads
int sum[2];

static void work(int me) {
  for (int i = 0; i < bound; i++)
    sum[me] += i;
}

void *other(void *arg) {
  work(1);
  bound = 5;
  return 0;
}

int main(void) {
  pthread_t t;
  bound = 6;
  pthread_create(&t, 0, other, 0);
  work(0);
  pthread_join(t, 0);
  if (sum[0] + sum[1] != 30)
    reach_error();
  return 0;
}
