// Pauses, fences and counters in a loop that waits: none has an effect, and an empty statement keeps its operand.
#include <pthread.h>
#include <stdatomic.h>

void reach_error(void) {}

atomic_int ready;
int data;

void *worker(void *arg) {
  data = 5;
  __asm__ volatile("sfence" ::: "memory");
  ready = 1;
  __asm__ volatile("lock; addl $0, 0(%%esp)" ::: "memory", "cc");
  return 0;
}

int main(void) {
  pthread_t t;
  unsigned low, high;
  pthread_create(&t, 0, worker, 0);
  while (!ready) {
    __asm__ volatile("pause");
    __asm__ volatile("rep\n\tnop" ::: "memory");
    __builtin_ia32_pause();
  }
  __asm__ volatile("mfence; lfence" ::: "memory");
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  int seen = data;
  __asm__("" : "+r"(seen));
  if (seen != 5)
    reach_error();
  return 0;
}
