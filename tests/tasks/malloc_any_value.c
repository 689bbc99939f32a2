// Memory from malloc holds any value.
// Unsafe: the byte may be 42 without anyone having written it.
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
  char *p = malloc(1);
  if (*p == 42)
    reach_error();
  free(p);
  return 0;
}
