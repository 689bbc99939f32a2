// main returns at once, without a join; the thread fails.
// Unsafe: it may run before main returns.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

void *faulty(void *arg) {
  reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, faulty, 0);
  return 0;
}
