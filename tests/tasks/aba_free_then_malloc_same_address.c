// A block that is freed and allocated again: whether or not the address is the same, the contents of a live block are
// what was written last. Safe.
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);
  int *q = malloc(sizeof *q);
  *q = 2;
  int *r = malloc(sizeof *r);
  *r = 3;
  if (*q != 2 || *r != 3 || q == r)
    reach_error();
  return 0;
}
