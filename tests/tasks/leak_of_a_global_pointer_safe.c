// A global leads to the block: it is not lost, though it is not freed.
#include <stdlib.h>
int *kept;

int main(void) {
  kept = malloc(sizeof *kept);
  return 0;
}
