// A block that became smaller has no bytes behind its new end, and none at its old place.
#include <stdlib.h>

int main(void) {
  char *text = malloc(8);
  text[7] = 1;
  text = realloc(text, 3);
  text[2] = 1;
  text[3] = 1;
  return 0;
}
