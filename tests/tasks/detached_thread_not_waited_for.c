// A detached thread is not joined.
// Unsafe: main may look before it has run.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

_Atomic int x;

void *writer(void *arg) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  pthread_detach(t);
  if (x != 1)
    reach_error();
  return 0;
}
