// A naive algorithm: wait until the other is not interested, then say that you are.
// Unsafe: both may wait successfully before either has spoken.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

atomic_int interested[2];
int owner; // the thread in the critical section

static void critical_section(int me) {
  owner = me;
  if (owner != me)
    reach_error();
}

void *process(void *arg) {
  int me = (int)(intptr_t)arg, other = 1 - me;
  while (interested[other])
    ;
  interested[me] = 1;
  critical_section(me);
  interested[me] = 0;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, process, (void *)1);
  process((void *)0);
  pthread_join(t, 0);
  return 0;
}
