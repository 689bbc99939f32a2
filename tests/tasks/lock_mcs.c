// The queue lock of Mellor-Crummey and Scott, once each.
// Safe.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

struct waiter {
  struct waiter *_Atomic next;
  atomic_int waiting;
} waiters[2];
struct waiter *_Atomic tail;

int owner; // the thread in the critical section

static void critical_section(int me) {
  owner = me;
  if (owner != me)
    reach_error();
}

void *process(void *arg) {
  int me = (int)(intptr_t)arg;
  struct waiter *mine = &waiters[me];
  mine->next = 0;
  mine->waiting = 1;
  struct waiter *before = atomic_exchange(&tail, mine);
  if (before) {
    before->next = mine;
    while (mine->waiting)
      ;
  }
  critical_section(me);
  struct waiter *expected = mine;
  if (!mine->next && atomic_compare_exchange_strong(&tail, &expected, (struct waiter *)0))
    return 0;
  while (!mine->next)
    ;
  mine->next->waiting = 0;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, process, (void *)1);
  process((void *)0);
  pthread_join(t, 0);
  return 0;
}
