// Lamport's bakery without the `choosing` flags.
// Unsafe: a thread may draw its number late and still win the tie.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

atomic_int number[2];
int owner; // the thread in the critical section

static void critical_section(int me) {
  owner = me;
  if (owner != me)
    reach_error();
}

void *process(void *arg) {
  int me = (int)(intptr_t)arg, other = 1 - me;
  int seen = number[other];
  number[me] = seen + 1;
  while (1) {
    int theirs = number[other];
    if (theirs == 0 || number[me] < theirs || (number[me] == theirs && me < other))
      break;
  }
  critical_section(me);
  number[me] = 0;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, process, (void *)1);
  process((void *)0);
  pthread_join(t, 0);
  return 0;
}
