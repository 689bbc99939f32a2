// Dekker's algorithm, for ever: a thread without the turn withdraws and waits for it. A thread may stay away as long as
// it likes.
#include <pthread.h>
#include <stdatomic.h>

_Bool __VERIFIER_nondet_bool(void);

_Atomic int want[2], turn;
int critical[2], asking[2];

static void *contender(void *argument) {
  int me = (int)(long)argument, other = 1 - me;
  for (;;) {
    while (__VERIFIER_nondet_bool()) {
    }
    asking[me] = 1;
    want[me] = 1;
    while (want[other]) {
      if (turn == other) {
        want[me] = 0;
      patient:
        while (turn == other) {
        }
        want[me] = 1;
      }
    }
    critical[me] = 1;
    asking[me] = 0;
    critical[me] = 0;
    turn = other;
    want[me] = 0;
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, contender, (void *)0);
  pthread_create(&threads[1], 0, contender, (void *)1);
  pthread_join(threads[0], 0);
}
