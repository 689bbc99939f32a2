// A ticket lock in one statement: xadd draws a ticket, a loop inside the assembly waits until it is served.
#include <pthread.h>

void reach_error(void) {}

int count;
static unsigned short tickets; // the one that is served, and above it the next one

static void take(void) {
  unsigned ticket = 0x0100;
  __asm__ volatile("lock; xaddw %w0, %1\n"
                   "1:\n\t"
                   "cmpb %h0, %b0\n\t"
                   "je 2f\n\t"
                   "rep; nop\n\t"
                   "movb %1, %b0\n\t"
                   "jmp 1b\n"
                   "2:"
                   : "+Q"(ticket), "+m"(tickets)
                   :
                   : "memory", "cc");
}

static void give(void) {
  __asm__ volatile("lock; incb %0" : "+m"(tickets) : : "memory", "cc");
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
