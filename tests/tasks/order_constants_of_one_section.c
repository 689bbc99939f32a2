// Constants learned for the first visit of a section are used for another visit, after a branch was folded away.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}
int x, y, go;
void *idle(void *a) {
  if (go == 9) reach_error();
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
      if (sx == 5) reach_error();
    }
    if (i == 0) {
      pthread_create(&t, 0, b, 0);
      go = 1;
    }
  }
  return 0;
}
