// realloc keeps the old contents when it grows a block.
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
  int *p = malloc(2 * sizeof *p);
  p[0] = 3;
  p[1] = 4;
  p = realloc(p, 4 * sizeof *p);
  p[3] = 5;
  if (p[0] != 3 || p[1] != 4 || p[3] != 5)
    reach_error();
  free(p);
  return 0;
}
