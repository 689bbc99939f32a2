// The process ends, by a return or a failing assertion, before a thread that was created has done anything.
#include <assert.h>
#include <pthread.h>

int x;

void *worker(void *argument) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
#ifdef FAILS
  assert(x);
#endif
  return 0;
}
