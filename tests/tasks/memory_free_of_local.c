// free of an object that did not come from malloc.
#include <stdlib.h>

int main(void) {
  int local = 0, *p = &local;
  free(p);
  return 0;
}
