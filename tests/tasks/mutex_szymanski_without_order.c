// Szymanski's algorithm without the last wait, which lets the threads leave the room in order.
// Unsafe: both are in the room and both go on.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

atomic_int flag[2];
int owner; // the thread in the critical section

static void critical_section(int me) {
  owner = me;
  if (owner != me)
    reach_error();
}

void *process(void *arg) {
  int me = (int)(intptr_t)arg, other = 1 - me;
  flag[me] = 1; // outside, wants in
  while (flag[other] >= 3)
    ;
  flag[me] = 3; // in the doorway
  if (flag[other] == 1) {
    flag[me] = 2; // waits for the other to come in, too
    while (flag[other] != 4)
      ;
  }
  flag[me] = 4; // the door in is closed
  critical_section(me);
  flag[me] = 0;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, process, (void *)1);
  process((void *)0);
  pthread_join(t, 0);
  return 0;
}
