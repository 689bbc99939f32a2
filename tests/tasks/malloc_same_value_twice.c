// Indeterminate memory that is never written keeps its value: two loads of a malloc'ed byte agree.
// Safe: the value is chosen once, not at each read.
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
  char *p = malloc(2);
  char first = p[1];
  p[0] = 5;
  if (p[1] != first)
    reach_error();
  free(p);
  return 0;
}
