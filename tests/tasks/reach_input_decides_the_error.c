// The error's own edge reads the input that decides it.
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int x;
void *w(void *a) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  int k = __VERIFIER_nondet_int();
  if (k == 12345) reach_error();
  pthread_join(t, 0);
  return 0;
}
