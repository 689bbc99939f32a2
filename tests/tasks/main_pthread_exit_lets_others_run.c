// A thread joins main and then fails; main leaves by pthread_exit.
// Unsafe: only main's thread ends, so that the join returns and the other goes on.
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
  pthread_exit(0);
}
