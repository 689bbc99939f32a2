// malloc(0) gives a pointer that may be compared and freed, and points to no byte.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
  size_t none = __VERIFIER_nondet_uchar() % 2;
  char *p = malloc(none), *q = malloc(0);
  if (p == q)
    reach_error();
  if (none == 0)
    p[0] = 1;
  free(p);
  free(q);
  return 0;
}
