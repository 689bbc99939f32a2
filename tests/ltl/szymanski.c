// Szymanski's algorithm for two threads, for ever: a waiting room with two doors. flag: 0 away, 1 before the room, 2
// inside and waiting for the door to close, 3 in the entrance, 4 the entrance is closed. With -DTWO_LOADS the last test
// reads a flag twice: it can be 3 when it is compared with 2, and 2 when it is compared with 3.
#include <pthread.h>
#include <stdatomic.h>

_Atomic int flag[2];
int critical[2];

static void *contender(void *argument) {
  int me = (int)(long)argument, other = 1 - me;
  for (;;) {
    flag[me] = 1;
  door:
    while (flag[other] >= 3) {
    }
    flag[me] = 3;
    if (flag[other] == 1) {
      flag[me] = 2;
    room:
      while (flag[other] != 4) {
      }
    }
    flag[me] = 4;
  closed:
    if (me == 1) {
      while (flag[0] >= 2) {
      }
    }
    critical[me] = 1;
    critical[me] = 0;
    if (me == 0) {
#ifdef TWO_LOADS
      while (flag[1] == 2 || flag[1] == 3) {
      }
#else
      int stage;
      do {
        stage = flag[1];
      } while (stage == 2 || stage == 3);
#endif
    }
    flag[me] = 0;
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, contender, (void *)0);
  pthread_create(&threads[1], 0, contender, (void *)1);
  pthread_join(threads[0], 0);
}
