// The addition is not part of the atomic operation.
#include <limits.h>
#include <stdatomic.h>

_Atomic int x = INT_MAX;

int main(void) {
  x = x + 1;
  return 0;
}
