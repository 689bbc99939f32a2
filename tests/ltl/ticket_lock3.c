// A ticket lock for three threads, for ever: tickets are handed out and served in order, modulo 4 so that states
// repeat.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

enum { TICKETS = 4 };
unsigned char next;
_Atomic unsigned char serving;
_Bool want[3], critical[3];

static unsigned char take_ticket(int me) {
  __VERIFIER_atomic_begin();
  unsigned char mine = next;
  next = (next + 1) % TICKETS;
  want[me] = 1;
  __VERIFIER_atomic_end();
  return mine;
}

static void *contender(void *argument) {
  int me = (int)(long)argument;
  for (;;) {
    unsigned char mine = take_ticket(me);
    while (serving != mine) {
    }
    critical[me] = 1;
    want[me] = 0;
    critical[me] = 0;
    serving = (mine + 1) % TICKETS;
  }
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, contender, (void *)0);
  pthread_create(&threads[1], 0, contender, (void *)1);
  pthread_create(&threads[2], 0, contender, (void *)2);
  pthread_join(threads[0], 0);
}
