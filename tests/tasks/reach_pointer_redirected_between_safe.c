// Attacks conditional dependence on two levels: what **pp means is decided by two cells that two other threads write.
// Safe: if x has the 1, no thread but the writer of 2 was at y.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

unsigned char x, y, *p = &x, *q = &y, **pp;

void *through(void *unused) {
  (void)unused;
  **pp = 1;
  return 0;
}

void *target(void *unused) {
  (void)unused;
  p = &y;
  *q = 2;
  return 0;
}

void *choose(void *unused) {
  (void)unused;
  pp = &q;
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pp = __VERIFIER_nondet_bool() ? &p : &q;
  pthread_create(&a, 0, through, 0);
  pthread_create(&b, 0, target, 0);
  pthread_create(&c, 0, choose, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  if (x == 1 && y != 2)
    reach_error();
  return 0;
}
