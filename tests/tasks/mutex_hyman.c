// Hyman's algorithm (1966), a published solution that is wrong.
// Unsafe: a thread waits for the other's flag, then takes the turn without looking again.
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
  interested[me] = 1;
  while (turn != me) {
    while (interested[other])
      ;
    turn = me;
  }
  critical_section(me);
  interested[me] = 0;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, process, (void *)1);
  process((void *)0);
  pthread_join(t, 0);
  return 0;
}
