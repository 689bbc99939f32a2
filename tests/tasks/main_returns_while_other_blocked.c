// A thread waits for a mutex that main holds and never unlocks; main returns.
// No deadlock: the end of main ends the process.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *waiter(void *arg) {
  pthread_mutex_lock(&m);
  reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, waiter, 0);
  return 0;
}
