// A locked increment beside an ordinary read of the same variable: that one is no atomic access, so it is a race.
#include <pthread.h>

void reach_error(void) {}

int count;

void *worker(void *arg) {
  __asm__ volatile("lock; addl %1, %0" : "+m"(count) : "ir"(1) : "memory", "cc");
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  int seen = count;
  pthread_join(t, 0);
  return seen > 1 ? 1 : 0;
}
