// For a moment p may point anywhere. What is said of *p while the flag is up is then not known, and to see that, the
// write to p must not be taken for one that no formula sees.
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int a, b = 7, flag;
int *p = &a;

void *strays(void *argument) {
  p = (int *)__VERIFIER_nondet_ulong();
  p = &a;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, strays, 0);
  flag = 1;
  flag = 0;
  pthread_join(thread, 0);
  return b;
}
