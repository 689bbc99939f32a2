// A spin lock by compare-exchange that forgets to reset `expected` after a failure.
// Unsafe: the second attempt expects the locked value and replaces it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

atomic_int locked;
int owner; // the thread in the critical section

static void critical_section(int me) {
  owner = me;
  if (owner != me)
    reach_error();
}

void *process(void *arg) {
  int me = (int)(intptr_t)arg;
  int expected = 0;
  while (!atomic_compare_exchange_strong(&locked, &expected, 1))
    ;
  critical_section(me);
  locked = 0;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, process, (void *)1);
  process((void *)0);
  pthread_join(t, 0);
  return 0;
}
