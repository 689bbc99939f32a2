// A branch that is taken in the last of three rounds only; what it reads was written by the same thread a round
// earlier.
// Unsafe: the value of that round is seen, not that of the first one.
#include <pthread.h>

void reach_error(void) {}

volatile int go, v, w;

void *s(void *y) {
  for (int i = 0; i < 3; i++) {
    if (go) {
      w = v;
    }
    v = i;
    if (i == 1)
      go = 1;
  }
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, s, 0);
  int k = w;
  if (k == 1)
    reach_error();
  return 0;
}
