// An increment by one instruction without a lock prefix: it reads and writes memory in two accesses, so one of two may
// be lost, and they race.
#include <pthread.h>

void reach_error(void) {}

int count;

void *worker(void *arg) {
  __asm__ volatile("incl %0" : "+m"(count) : : "memory", "cc");
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  if (count != 2)
    reach_error();
  return 0;
}
