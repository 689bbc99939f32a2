// What is known before an input is read holds for all its values: a proof needs it for the one that is read.
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int u;

void *adds(void *arg) {
  u += __VERIFIER_nondet_uchar() % 3;
  u += 1;
  return 0;
}

void *looks(void *arg) {
  if (u) {
  }
  return 0;
}

void *sets(void *arg) {
  u = 1;
  return 0;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, adds, 0);
  pthread_create(&t[1], 0, looks, 0);
  pthread_create(&t[2], 0, sets, 0);
  pthread_join(t[0], 0);
  pthread_join(t[2], 0);
  assert(u >= 1 && u <= 4);
  return 0;
}
