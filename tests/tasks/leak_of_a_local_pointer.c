// The only pointer is a local of main, which has ended.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  return *p - 1;
}
