// The part that realloc adds holds any value, even after calloc.
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
  char *p = calloc(1, 1);
  p = realloc(p, 2);
  if (p[0] == 0 && p[1] == 9)
    reach_error();
  free(p);
  return 0;
}
