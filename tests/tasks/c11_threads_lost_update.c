// C11 threads without a mutex.
#include <assert.h>
#include <threads.h>

int x;

int increment(void *arg) {
  x++;
  return 0;
}

int main(void) {
  thrd_t t;
  thrd_create(&t, increment, 0);
  increment(0);
  thrd_join(t, 0);
  assert(x == 2);
  return 0;
}
