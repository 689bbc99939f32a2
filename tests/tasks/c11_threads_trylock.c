// mtx_trylock returns thrd_busy while the other thread holds the mutex.
#include <threads.h>

extern void abort(void);
void reach_error(void) {}

mtx_t lock;

int holding(void *arg) {
  mtx_lock(&lock);
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  thrd_t t;
  mtx_init(&lock, mtx_plain);
  thrd_create(&t, holding, 0);
  if (mtx_trylock(&lock) == thrd_busy)
    reach_error();
  else
    mtx_unlock(&lock);
  thrd_join(t, 0);
  return 0;
}
