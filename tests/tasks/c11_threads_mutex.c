// C11 threads: thrd_create, mtx_lock and thrd_join with the result of the thread.
#include <assert.h>
#include <threads.h>

mtx_t lock;
int x;

int increment(void *arg) {
  mtx_lock(&lock);
  x++;
  mtx_unlock(&lock);
  return 7;
}

int main(void) {
  thrd_t t;
  int result = 0;
  mtx_init(&lock, mtx_plain);
  assert(thrd_create(&t, increment, 0) == thrd_success);
  increment(0);
  thrd_join(t, &result);
  assert(x == 2 && result == 7);
  mtx_destroy(&lock);
  return 0;
}
