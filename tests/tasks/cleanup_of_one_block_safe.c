// Freed on all ways; free of a null pointer frees nothing.
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int *p = __VERIFIER_nondet_bool() ? malloc(sizeof *p) : NULL;
  free(p);
  return 0;
}
