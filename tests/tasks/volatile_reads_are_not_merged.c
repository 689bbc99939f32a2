// Two reads of a volatile variable in one expression are two accesses.
// Unsafe: another thread may write between them.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

volatile int x;

void *writer(void *arg) {
  x = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (x - x != 0)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
