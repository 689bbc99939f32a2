// A failed assertion violates unreach-call; it is no orderly end.
#include <assert.h>
#include <stdlib.h>
int x = 1;

int main(void) {
  char *p = malloc(10);
  assert(x == 0);
  free(p);
  return 0;
}
