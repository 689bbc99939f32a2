// Two threads hand a token to and fro; the error needs three full rounds.
// Unsafe: deep, with context switches that are all forced.
#include <pthread.h>

extern void abort(void);
void reach_error(void) {}

_Atomic int token;

void *odd(void *arg) {
  while (1) {
    while (token % 2 == 0)
      ;
    if (token == 5)
      reach_error();
    token++;
  }
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, odd, 0);
  for (int round = 0; round < 3; round++) {
    while (token % 2 == 1)
      ;
    token++;
  }
  pthread_join(t, 0);
  return 0;
}
