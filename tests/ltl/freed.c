// A thread reads a block, and may then be passed over before it is stopped, while another frees the block; a thread
// that has read it is not stopped by that. Behind the read: an assumption; an array index out of bounds (-DBOUNDS); a
// write to the same block (-DAGAIN). And a thread that waits by what it reads from memory that was never written waits
// (-DUNWRITTEN).
#include <pthread.h>
#include <stdlib.h>

extern void __VERIFIER_assume(int);

pthread_mutex_t held;
int *block, ready, freed, taken, done, array[2];

void *reader(void *argument) {
#ifdef UNWRITTEN
  int *own = malloc(sizeof *own);
  if (*own) pthread_mutex_lock(&held);
  done = 1;
#else
  int *own = malloc(2 * sizeof *own);
  own[0] = 4;
  own[1] = 0;
  block = own;
  ready = 1;
  int value = own[0];
#if defined BOUNDS
  if (value) array[value] = 0;
#elif defined AGAIN
  if (value) own[1] = 1;
  __VERIFIER_assume(0);
#else
  if (value) __VERIFIER_assume(value < 2);
#endif
#endif
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&held);
  pthread_create(&thread, 0, reader, 0);
#ifdef UNWRITTEN
  pthread_join(thread, 0);
#else
  while (!ready) {
  }
#ifdef AGAIN
  taken = block[1];
#endif
  free(block);
  freed = 1;
#endif
  while (1) {
  }
}
