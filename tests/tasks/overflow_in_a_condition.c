// The sum that overflows is only compared.
#include <limits.h>

int main(void) {
  if (INT_MAX + 1 < 0) return 1;
  return 0;
}
