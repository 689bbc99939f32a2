// A thread joins main and then fails, but main returns.
// Safe: when main returns the process ends; the thread stops inside its join. That is no deadlock either.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

pthread_t main_thread;

void *joins_main(void *arg) {
  pthread_join(main_thread, 0);
  reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  main_thread = pthread_self();
  pthread_create(&t, 0, joins_main, 0);
  return 0;
}
