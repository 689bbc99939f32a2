// One thread waits in a loop for a flag that is never set; another thread fails.
// Unsafe: an execution is a set of thread prefixes, so the endless wait (at any unwinding depth) hides nothing.
#include <pthread.h>
#include <sched.h>

extern void abort(void);
void reach_error(void) {}

volatile int flag;
int data;

void *waiter(void *arg) {
  while (!flag)
    sched_yield();
  return 0;
}

void *faulty(void *arg) {
  data = 7;
  if (data == 7)
    reach_error();
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waiter, 0);
  pthread_create(&b, 0, faulty, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
