// Peterson's algorithm, for ever: mutual exclusion for two threads with loads and stores only.
#include <pthread.h>
#include <stdatomic.h>

_Atomic int want[2], turn;
int critical[2];

static void *contender(void *argument) {
  int me = (int)(long)argument, other = 1 - me;
  for (;;) {
    want[me] = 1;
  polite:
    turn = other;
  waiting:
    while (want[other] && turn == other) {
    }
    critical[me] = 1;
  inside:
    critical[me] = 0;
    want[me] = 0;
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, contender, (void *)0);
  pthread_create(&threads[1], 0, contender, (void *)1);
  pthread_join(threads[0], 0);
}
