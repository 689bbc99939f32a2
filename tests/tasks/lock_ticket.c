// A ticket lock, two rounds each.
// Safe.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

atomic_uint next_ticket, now_serving;
int owner; // the thread in the critical section

static void critical_section(int me) {
  owner = me;
  if (owner != me)
    reach_error();
}

void *process(void *arg) {
  int me = (int)(intptr_t)arg;
  for (int round = 0; round < 2; round++) {
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
    while (now_serving != mine)
      ;
    critical_section(me);
    now_serving++;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, process, (void *)1);
  process((void *)0);
  pthread_join(t, 0);
  return 0;
}
