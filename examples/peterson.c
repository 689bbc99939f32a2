// Peterson's algorithm: mutual exclusion for two threads with nothing but loads and stores.
//
//   heddle check examples/peterson.c          result: SAFE
//
// A thread first says that it is interested, then politely gives the turn away, and waits while the other is both
// interested and has the turn. The order of the two stores matters: see peterson_broken.c.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { ROUNDS = 2 };

static atomic_bool interested[2];
static atomic_int turn;
static int counter; // protected by the algorithm, therefore a plain variable

static void enter(int me) {
  int other = 1 - me;
  interested[me] = 1;
  turn = other;
  while (interested[other] && turn == other)
    ; // wait
}

static void leave(int me) {
  interested[me] = 0;
}

static void *worker(void *argument) {
  int me = *(int *)argument;
  for (int round = 0; round < ROUNDS; round++) {
    enter(me);
    counter++;
    leave(me);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int names[2] = {0, 1};
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, worker, &names[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(counter == 2 * ROUNDS); // no update was lost
  return 0;
}
