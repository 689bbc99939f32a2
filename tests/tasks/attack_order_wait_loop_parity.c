// A waiting loop that counts its rounds modulo two.
// Unsafe: the loop may be left after an odd number of rounds; a round changes a local that is used later.
#include <pthread.h>

void reach_error(void) {}

volatile int f;

void *t(void *a) {
  f = 1;
  f = 0;
  f = 1;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  int par = 0;
  while (!f)
    par ^= 1; /* parity of rounds */
  if (par)
    reach_error();
  return 0;
}
