// Peterson's algorithm for three threads (filter lock): each of two levels holds one thread back.
// Safe.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

atomic_int level[3], last[3]; // how far each thread has come; the thread that came last to each level
int owner; // the thread in the critical section

static void critical_section(int me) {
  owner = me;
  if (owner != me)
    reach_error();
}

void *process(void *arg) {
  int me = (int)(intptr_t)arg, second = (me + 1) % 3, third = (me + 2) % 3;
  for (int l = 1; l <= 2; l++) {
    level[me] = l;
    last[l] = me;
    while (last[l] == me && (level[second] >= l || level[third] >= l))
      ;
  }
  critical_section(me);
  level[me] = 0;
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
