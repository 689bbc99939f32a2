// A handle that may be overwritten by a second creation before the join.
// Safe: whichever thread is joined has written the variable, and no thread writes zero.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

void reach_error(void) {}

volatile int x;

void *s(void *y) {
  x = (int)(long)y;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, s, (void *)1);
  if (__VERIFIER_nondet_bool())
    pthread_create(&p, 0, s, (void *)2);
  pthread_join(p, 0);
  if (x == 0)
    reach_error();
  return 0;
}
