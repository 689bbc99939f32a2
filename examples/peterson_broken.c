// Peterson's algorithm with its two stores in the wrong order.
//
//   heddle check examples/peterson_broken.c   result: UNSAFE
//
// When a thread gives the turn away before it says that it is interested, the other can slip through in between: it
// sees no interest and enters; then the first finds that the turn came back to it, and enters as well. Tests
// hardly ever hit this. Compare with peterson.c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool interested[2];
static atomic_int turn;
static atomic_int inside; // how many threads are in the critical section

static void enter(int me) {
  int other = 1 - me;
  turn = other; // too early
  interested[me] = 1;
  while (interested[other] && turn == other)
    ; // wait
}

static void leave(int me) {
  interested[me] = 0;
}

static void *worker(void *argument) {
  int me = *(int *)argument;
  enter(me);
  inside++;
  assert(inside == 1); // mutual exclusion
  inside--;
  leave(me);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int names[2] = {0, 1};
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, worker, &names[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
