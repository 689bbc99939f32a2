// A section that is passed only with one of two pairs of values, in a branch that the first round never takes. What
// the section could read in the first round, had it been there, says nothing about the second.
// Unsafe: the pair with 5 can be read.
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

void reach_error(void) {}

int x, y, go;

void *idle(void *a) {
  if (go == 9)
    reach_error();
  return 0;
}

void *b(void *a) {
  x = 5;
  y = 2;
  x = 0;
  y = __VERIFIER_nondet_int();
  return 0;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&u, 0, idle, 0);
  for (int i = 0; i < 2; i++) {
    if (go) {
      __VERIFIER_atomic_begin();
      int sx = x, sy = y;
      __VERIFIER_assume((sx == 0 && sy == 1) || (sx == 5 && sy == 2));
      __VERIFIER_atomic_end();
      if (sx == 5)
        reach_error();
    }
    if (i == 0) {
      pthread_create(&t, 0, b, 0);
      go = 1;
    }
  }
  return 0;
}
