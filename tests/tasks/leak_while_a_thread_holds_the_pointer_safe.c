// exit() in a function of main ends the process while a local of main leads to the block.
#include <stdlib.h>

static void leave(void) {
  exit(0);
}

int main(void) {
  char *p = malloc(4);
  leave();
  free(p);
  return 0;
}
