// The second allocation overwrites the only pointer to the first block.
#include <stdlib.h>
int *kept;

int main(void) {
  kept = malloc(sizeof *kept);
  kept = malloc(sizeof *kept);
  return 0;
}
