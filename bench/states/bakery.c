// Lamport's bakery for three threads, each of which enters ROUNDS times. SAFE.
// The same protocol, step by step, is bakery.pml.
#include <pthread.h>

extern void reach_error(void);

#ifndef ROUNDS
#define ROUNDS 4
#endif
enum { THREADS = 3 };

int choosing[THREADS], number[THREADS], inside;

void *worker(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < ROUNDS; round++) {
    int mine = 0, theirs;
    choosing[me] = 1;
    for (int i = 0; i < THREADS; i++) {
      theirs = number[i];
      if (theirs > mine) mine = theirs;
    }
    mine++;
    number[me] = mine;
    choosing[me] = 0;
    for (int i = 0; i < THREADS; i++) {
      if (i == me) continue;
      while (choosing[i]) {
      }
      do {
        theirs = number[i];
      } while (theirs != 0 && (theirs < mine || (theirs == mine && i < me)));
    }
    inside = me;
    if (inside != me) reach_error();
    number[me] = 0;
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, worker, (void *)(long)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  return 0;
}
