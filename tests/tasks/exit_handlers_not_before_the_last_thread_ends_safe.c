// Whichever thread is the last to end runs the handler, and not before both others have ended.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int first, second;

static void look(void) { assert(first == 1 && second == 1); }

static void *write_first(void *argument) {
  first = 1;
  return 0;
}

static void *write_second(void *argument) {
  second = 1;
  pthread_exit(0);
}

int main(void) {
  pthread_t one, other;
  atexit(look);
  pthread_create(&one, 0, write_first, 0);
  pthread_create(&other, 0, write_second, 0);
  pthread_exit(0);
}
