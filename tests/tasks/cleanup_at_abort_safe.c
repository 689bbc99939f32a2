// abort() is no orderly end: nothing is asked there.
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  char *p = malloc(10);
  if (__VERIFIER_nondet_bool())
    abort();
  free(p);
  return 0;
}
