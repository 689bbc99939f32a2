// malloc succeeds unless asked otherwise, and two live blocks are different.
// Safe under that assumption.
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
  int *p = malloc(sizeof *p), *q = malloc(sizeof *q);
  if (!p || !q || p == q)
    reach_error();
  *p = 1;
  *q = 2;
  if (*p != 1 || *q != 2)
    reach_error();
  free(p);
  free(q);
  return 0;
}
