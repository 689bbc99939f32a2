// Memory from calloc is zero.
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
  short *p = calloc(3, sizeof *p);
  if (p[0] || p[1] || p[2])
    reach_error();
  free(p);
  return 0;
}
