// Five dining philosophers that eat ROUNDS times each; the last one takes the forks in the other order. SAFE.
// The same protocol, step by step, is philosophers.pml.
#include <pthread.h>

extern void reach_error(void);

#ifndef ROUNDS
#define ROUNDS 4
#endif
enum { SEATS = 5 };

pthread_mutex_t forks[SEATS];
int user[SEATS]; // the philosopher that eats with the fork

void *philosopher(void *argument) {
  int me = (int)(long)argument;
  int first = me < SEATS - 1 ? me : 0, second = me < SEATS - 1 ? me + 1 : me;
  for (int round = 0; round < ROUNDS; round++) {
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    user[first] = me;
    if (user[first] != me) reach_error();
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
  }
  return 0;
}

int main(void) {
  pthread_t threads[SEATS];
  for (int i = 0; i < SEATS; i++) pthread_create(&threads[i], 0, philosopher, (void *)(long)i);
  for (int i = 0; i < SEATS; i++) pthread_join(threads[i], 0);
  return 0;
}
