// A spin lock by test-and-set on an atomic_flag, with acquire and release order.
// Safe.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

atomic_flag locked = ATOMIC_FLAG_INIT;
int owner; // the thread in the critical section

static void critical_section(int me) {
  owner = me;
  if (owner != me)
    reach_error();
}

void *process(void *arg) {
  int me = (int)(intptr_t)arg;
  while (atomic_flag_test_and_set_explicit(&locked, memory_order_acquire))
    ;
  critical_section(me);
  atomic_flag_clear_explicit(&locked, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, process, (void *)1);
  process((void *)0);
  pthread_join(t, 0);
  return 0;
}
