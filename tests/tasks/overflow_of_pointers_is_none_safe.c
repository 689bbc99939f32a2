// Pointer arithmetic and unsigned arithmetic are no signed arithmetic; size_t wraps.
#include <stddef.h>
int a[4];

int main(void) {
  int *p = a;
  p += 3;
  p--;
  size_t n = 0;
  n--;
  unsigned u = 0;
  u = -u - 1;
  return p - a != 2 || n == 0 || u == 0;
}
