// Six threads that write and then see each other's values in a way that no order explains, although no two or three of
// the orders contradict each other: if x = 1 came first, first and second ended before x = 2, so sixth saw m and n
// after all four writes of them, which needs m = 2, m = 1, n = 2, n = 1 in a circle; if x = 2 came first, third, fourth
// and fifth do the same with p and q. Every step of the argument assumes one of the two cases, so an analysis that only
// derives orders that hold in both finds nothing.
// Safe.
#include <pthread.h>

extern void abort(void);
extern void __VERIFIER_assume(int condition);
void reach_error(void) {}

int m, n, p, q, x;

void *first(void *arg) {
  n = 1;
  m = 2;
  __VERIFIER_assume(x == 1);
  return 0;
}

void *second(void *arg) {
  m = 1;
  n = 2;
  __VERIFIER_assume(x == 1);
  return 0;
}

void *third(void *arg) {
  q = 1;
  p = 2;
  __VERIFIER_assume(x == 2);
  return 0;
}

void *fourth(void *arg) {
  p = 1;
  q = 2;
  __VERIFIER_assume(x == 2);
  return 0;
}

void *fifth(void *arg) {
  x = 1;
  __VERIFIER_assume(p == 1);
  __VERIFIER_assume(q == 1);
  return 0;
}

void *sixth(void *arg) {
  x = 2;
  __VERIFIER_assume(m == 1);
  __VERIFIER_assume(n == 1);
  return 0;
}

int main(void) {
  pthread_t t1, t2, t3, t4, t5, t6;
  pthread_create(&t1, 0, first, 0);
  pthread_create(&t2, 0, second, 0);
  pthread_create(&t3, 0, third, 0);
  pthread_create(&t4, 0, fourth, 0);
  pthread_create(&t5, 0, fifth, 0);
  pthread_create(&t6, 0, sixth, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  pthread_join(t4, 0);
  pthread_join(t5, 0);
  pthread_join(t6, 0);
  reach_error(); // all six saw what they assume
  return 0;
}
