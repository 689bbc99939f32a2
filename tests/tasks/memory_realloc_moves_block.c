// The old pointer is not the block's any more.
#include <stdlib.h>

int main(void) {
  char *old = malloc(8), *text = realloc(old, 16);
  text[15] = 1;
  old[0] = 1;
  return 0;
}
