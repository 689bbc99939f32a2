// A spin lock that waits in a loop of its own: decrement, and if that was too much, look until the lock is free again.
#include <pthread.h>

void reach_error(void) {}

int count;
static signed char slots = 1;

static void take(void) {
  __asm__ volatile("\n1:\t"
                   "lock; decb %0\n\t"
                   "jns 3f\n"
                   "2:\t"
                   "rep; nop\n\t"
                   "cmpb $0, %0\n\t"
                   "jle 2b\n\t"
                   "jmp 1b\n"
                   "3:"
                   : "+m"(slots)
                   :
                   : "memory", "cc");
}

static void give(void) {
  __asm__ volatile("movb $1, %0" : "+m"(slots) : : "memory");
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
