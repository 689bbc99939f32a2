// A pointer leads to the block until the end; it is not freed all the same.
#include <stdlib.h>
int *kept;

int main(void) {
  kept = malloc(sizeof *kept);
  return 0;
}
