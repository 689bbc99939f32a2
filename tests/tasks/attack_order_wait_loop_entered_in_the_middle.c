// A waiting loop that may be entered behind its first read.
// Unsafe: entered at its head, it reads the second variable before the flag.
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

void reach_error(void) {}

volatile int f, g;

void *t(void *a) {
  g = 1;
  f = 1;
  g = 2;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  int n = 0;
  if (__VERIFIER_nondet_bool())
    goto mid;
  for (;;) {
    n = g;
  mid:
    if (f)
      break;
  }
  if (n == 1 && g == 1)
    reach_error();
  return 0;
}
