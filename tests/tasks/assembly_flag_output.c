// The outcome of a compare-and-set as a flag output: exactly one of two threads gets it.
#include <pthread.h>

void reach_error(void) {}

int taken, count;

void *worker(void *arg) {
  int old = 0, mine;
  __asm__ volatile("lock cmpxchgl %3, %0"
                   : "+m"(taken), "=@ccz"(mine), "+a"(old)
                   : "r"(1)
                   : "memory", "cc");
  if (mine)
    count++;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  if (count != 1)
    reach_error();
  return 0;
}
