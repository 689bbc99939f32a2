// Peterson's algorithm, two rounds each.
// Safe: leaving and coming back does not overtake the waiting thread wrongly.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

atomic_int interested[2], turn;
int owner; // the thread in the critical section

static void critical_section(int me) {
  owner = me;
  if (owner != me)
    reach_error();
}

void *process(void *arg) {
  int me = (int)(intptr_t)arg, other = 1 - me;
  for (int round = 0; round < 2; round++) {
    interested[me] = 1;
    turn = other;
    while (interested[other] && turn == other)
      ;
    critical_section(me);
    interested[me] = 0;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, process, (void *)1);
  process((void *)0);
  pthread_join(t, 0);
  return 0;
}
