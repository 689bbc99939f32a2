// A spin lock that looks before it exchanges, for three threads: two waiting loops, one inside the other.
// Safe.
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

static void acquire(void) {
  do {
    while (locked)
      ;
  } while (atomic_exchange(&locked, 1));
}

void *process(void *arg) {
  int me = (int)(intptr_t)arg;
  acquire();
  critical_section(me);
  locked = 0;
  return 0;
}

int main(void) {
  pthread_t t1, t2;
  pthread_create(&t1, 0, process, (void *)1);
  pthread_create(&t2, 0, process, (void *)2);
  process((void *)0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  return 0;
}
