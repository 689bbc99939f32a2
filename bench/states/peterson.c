// Peterson's mutual exclusion of two threads, each of which enters ROUNDS times. SAFE.
// The same protocol, step by step, is peterson.pml.
#include <pthread.h>

extern void reach_error(void);

#ifndef ROUNDS
#define ROUNDS 250
#endif

int wants[2], turn, inside;

void *worker(void *argument) {
  int me = (int)(long)argument, other = 1 - me;
  for (int round = 0; round < ROUNDS; round++) {
    wants[me] = 1;
    turn = other;
    while (wants[other] && turn == other) {
    }
    inside = me;
    if (inside != me) reach_error();
    wants[me] = 0;
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, (void *)(long)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
