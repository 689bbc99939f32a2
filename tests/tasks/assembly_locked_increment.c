// An increment by one locked instruction in each of two threads: nothing is lost, and locked instructions do not race.
#include <pthread.h>

void reach_error(void) {}

int count;

void *worker(void *arg) {
  __asm__ volatile("lock; incl %0" : "+m"(count) : : "memory", "cc");
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
