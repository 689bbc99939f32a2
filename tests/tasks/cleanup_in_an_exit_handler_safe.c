// The handler of atexit frees the block before the process ends.
#include <stdlib.h>
char *buffer;

void clean(void) {
  free(buffer);
}

int main(void) {
  atexit(clean);
  buffer = malloc(4);
  exit(0);
}
