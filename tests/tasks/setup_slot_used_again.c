// The second thread runs the same code in the slot of the first one, with another argument.
#include <assert.h>
#include <pthread.h>

static int first, second;

static void *work(void *argument) {
  int *place = argument;
  *place += 1;
  return NULL;
}

static void run(int *place) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, place);
  pthread_join(thread, NULL);
}

int main(void) {
  run(&first);
  run(&second);
  assert(first == 1);
  assert(second == 0); // fails
}
