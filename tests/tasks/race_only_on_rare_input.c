// The accesses meet only for one value of an input.
#include <pthread.h>

extern char __VERIFIER_nondet_char(void);
int array[4];

void *work(void *arg) {
  array[3] = 1;
  return 0;
}

int main(void) {
  pthread_t t;
  unsigned char index = __VERIFIER_nondet_char() & 3;
  pthread_create(&t, 0, work, 0);
  array[index] = 2;
  pthread_join(t, 0);
  return 0;
}
