// main fails only after it has joined a thread that always aborts.
// Safe: the join never returns, because there is no process any more.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

void *aborting(void *arg) {
  abort();
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, aborting, 0);
  pthread_join(t, 0);
  reach_error();
  return 0;
}
