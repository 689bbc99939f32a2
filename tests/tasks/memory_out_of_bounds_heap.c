// Off by one behind a heap block.
#include <stdlib.h>

int main(void) {
  char *p = malloc(3);
  for (int i = 0; i <= 3; i++)
    p[i] = 0;
  free(p);
  return 0;
}
