// The assumption that excludes the error is made before the faulty thread exists.
// Safe: no execution goes past it with a value that fails.
#include <pthread.h>

extern void abort(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

char c;

void *checker(void *arg) {
  if (c == 'x')
    reach_error();
  return 0;
}

int main(void) {
  pthread_t t;
  c = __VERIFIER_nondet_char();
  __VERIFIER_assume(c != 'x');
  pthread_create(&t, 0, checker, 0);
  pthread_join(t, 0);
  return 0;
}
