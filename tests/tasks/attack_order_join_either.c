// A join of one of two threads, chosen by an input.
// Safe: the thread that was chosen has ended.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

void reach_error(void) {}

int x, y;

void *u(void *a) {
  x = 1;
  return 0;
}

void *v(void *a) {
  y = 1;
  return 0;
}

int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, u, 0);
  pthread_create(&q, 0, v, 0);
  pthread_t r = __VERIFIER_nondet_bool() ? p : q;
  pthread_join(r, 0);
  if (!x && !y)
    reach_error();
  if (r == p && !x)
    reach_error();
  return 0;
}
