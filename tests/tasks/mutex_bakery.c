// Lamport's bakery for two threads, once each.
// Safe.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

atomic_int choosing[2], number[2];
int owner; // the thread in the critical section

static void critical_section(int me) {
  owner = me;
  if (owner != me)
    reach_error();
}

void *process(void *arg) {
  int me = (int)(intptr_t)arg, other = 1 - me;
  choosing[me] = 1;
  int seen = number[other];
  number[me] = seen + 1;
  choosing[me] = 0;
  while (choosing[other])
    ;
  while (1) {
    int theirs = number[other];
    if (theirs == 0 || number[me] < theirs || (number[me] == theirs && me < other))
      break;
  }
  critical_section(me);
  number[me] = 0;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, process, (void *)1);
  process((void *)0);
  pthread_join(t, 0);
  return 0;
}
