// A waiting loop that looks at two flags in turn.
// Unsafe: the second flag may end the loop when the first has been reset; one round is not like the one before it.
#include <pthread.h>

void reach_error(void) {}

volatile int a, b;

void *t(void *x) {
  a = 1;
  b = 1;
  a = 0;
  return 0;
}

int main(void) {
  pthread_t p;
  pthread_create(&p, 0, t, 0);
  int which = 0;
  for (;;) {
    if (which) {
      if (b)
        break;
    } else {
      if (a)
        break;
    }
    which = !which;
  }
  if (which && !a)
    reach_error();
  return 0;
}
