// erand48 and its like compute the sequence that POSIX defines from a state in the program's memory: a thread with a
// state of its own gets the same numbers in each execution.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *draw(void *unused) {
  unsigned short state[3] = {1, 2, 3};
  assert(nrand48(state) == 949179875);
  assert(jrand48(state) == 1130126687);
  double fraction = erand48(state);
  assert(fraction > 0.654138 && fraction < 0.654139);
  assert(state[0] == 7666 && state[1] == 39619 && state[2] == 42869);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, draw, NULL);
  draw(NULL);
  pthread_join(thread, NULL);
  return 0;
}
