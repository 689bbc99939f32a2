// As main_returns_while_other_blocked, but main leaves by pthread_exit.
// Deadlock: the process lives on with one thread, which is blocked for ever.
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
  pthread_exit(0);
}
