// The __sync and __atomic builtins of GNU C.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

int a, b;

void *work(void *arg) {
  __sync_fetch_and_add(&a, 1);
  __atomic_add_fetch(&b, 2, __ATOMIC_SEQ_CST);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  if (__atomic_load_n(&b, __ATOMIC_ACQUIRE) != 4 || a != 2)
    reach_error();
  if (!__sync_bool_compare_and_swap(&a, 2, 9) || __sync_val_compare_and_swap(&a, 2, 1) != 9)
    reach_error();
  return 0;
}
