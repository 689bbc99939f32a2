// free of a pointer that is not the start of a block.
#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  free(p + 1);
  return 0;
}
