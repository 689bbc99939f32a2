// A test-and-set lock, for ever: one thread can always come at the wrong moment.
#include <pthread.h>
#include <stdatomic.h>

_Atomic int locked;
_Bool want[2], critical[2];

static void *contender(void *argument) {
  int me = (int)(long)argument;
  for (;;) {
    want[me] = 1;
    while (atomic_exchange(&locked, 1)) {
    }
    critical[me] = 1;
    want[me] = 0;
  leaving:
    critical[me] = 0;
    locked = 0;
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, contender, (void *)0);
  pthread_create(&threads[1], 0, contender, (void *)1);
  pthread_join(threads[0], 0);
}
