// A ticket lock for three threads; the owner alone writes the number that is served.
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
  unsigned mine = atomic_fetch_add(&next_ticket, 1);
  while (now_serving != mine)
    ;
  critical_section(me);
  now_serving = mine + 1;
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
