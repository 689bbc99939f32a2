// A cleanup handler that was pushed runs when the thread leaves by pthread_exit.
// Unsafe: the handler fails.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int token;

static void handler(void *arg) {
  if (arg == &token)
    reach_error();
}

void *work(void *arg) {
  pthread_cleanup_push(handler, &token);
  pthread_exit(0);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
