// The pointer leads into the block.
#include <stdlib.h>
char *middle;

int main(void) {
  char *block = malloc(16);
  middle = block + 7;
  return 0;
}
