// Two threads work on different elements of a table: accesses that are independent only because the indices differ
// (Impara, figure 1: conditional dependence).
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) {}

int v[2], i, j;

void *first(void *arg) {
  v[i] = 1;
  v[i] = v[i] + 1;
  v[i] = v[j];
  return 0;
}

void *second(void *arg) {
  v[j] = -2;
  v[j] = v[j] + 1;
  v[i] = v[i] + 1;
  return 0;
}

int main(void) {
  pthread_t t, u;
  i = __VERIFIER_nondet_bool();
  j = __VERIFIER_nondet_bool();
  __VERIFIER_assume(i != j);
  v[i] = 0;
  v[j] = 0;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (v[j] >= 0)
    reach_error();
  return 0;
}
