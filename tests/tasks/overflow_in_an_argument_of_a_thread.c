// The sum is computed in the thread from what main hands over.
#include <pthread.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

void *add(void *arg) {
  int x = (int)(intptr_t)arg;
  x += 100;
  return (void *)(intptr_t)x;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0);
  pthread_t t;
  pthread_create(&t, 0, add, (void *)(intptr_t)n);
  pthread_join(t, 0);
  return 0;
}
