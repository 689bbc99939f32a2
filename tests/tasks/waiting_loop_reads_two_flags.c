// A waiting loop that needs two flags at once, which two threads set and reset again.
// Unsafe: the loop reads them one after the other and may leave although they were never set together.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

volatile int first, second;

void *setter(void *arg) {
  first = 1;
  first = 0;
  second = 1;
  second = 0;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, setter, 0);
  while (!(first && second))
    ;
  reach_error();
  return 0;
}
