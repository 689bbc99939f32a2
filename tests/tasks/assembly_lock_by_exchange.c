// A spin lock by xchg, locked without a prefix, and given back by a store: it protects, and orders the threads.
#include <pthread.h>

void reach_error(void) {}

int count;
static unsigned lock;

static void take(void) {
  unsigned held;
  do {
    held = 1;
    __asm__ volatile("xchgl %0, %1" : "+r"(held), "+m"(lock) : : "memory");
    if (held)
      __asm__ volatile("rep; nop" ::: "memory");
  } while (held);
}

static void give(void) {
  __asm__ volatile("movl $0, %0" : "=m"(lock) : : "memory");
}

void *worker(void *arg) {
  take();
  count++;
  give();
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
