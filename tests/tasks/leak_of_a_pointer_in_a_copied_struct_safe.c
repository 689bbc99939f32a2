// The struct is copied as a whole, and its pointer is never read: what the copy holds is not known to the model.
#include <stdlib.h>

struct pair {
  int *first, *second;
} kept;

int main(void) {
  struct pair local = {0, 0};
  local.second = malloc(sizeof *local.second);
  kept = local;
  return 0;
}
