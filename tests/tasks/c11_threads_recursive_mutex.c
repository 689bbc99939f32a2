// mtx_recursive may be locked again by its owner.
#include <assert.h>
#include <threads.h>

int main(void) {
  mtx_t lock;
  mtx_init(&lock, mtx_plain | mtx_recursive);
  assert(mtx_lock(&lock) == thrd_success);
  assert(mtx_lock(&lock) == thrd_success);
  mtx_unlock(&lock);
  mtx_unlock(&lock);
  return 0;
}
