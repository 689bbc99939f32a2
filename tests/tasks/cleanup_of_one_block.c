// The block is freed on one way only.
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int *p = malloc(sizeof *p);
  if (__VERIFIER_nondet_bool())
    free(p);
  return 0;
}
