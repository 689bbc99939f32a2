// Uninitialised bytes of the heap, read at an index that is an input; one of the reads is not used.
// Unsafe: each byte has one value, chosen when it is first read.
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

void reach_error(void) {}

char *volatile g;

void *t(void *a) {
  unsigned i = __VERIFIER_nondet_uint();
  if (i < 3) {
    char d = g[i];
    (void)d;
    if (g[i] == 9)
      g[2] = 1;
  }
  return 0;
}

int main(void) {
  pthread_t p;
  g = malloc(3);
  pthread_create(&p, 0, t, 0);
  pthread_join(p, 0);
  if (g[0] == 9 && g[1] == 8 && g[2] == 1)
    reach_error();
  return 0;
}
