// The sum of two constants overflows, but no execution comes to it.
#include <limits.h>

int enabled = 0;

int main(void) {
  if (enabled) return INT_MAX + 1;
  return 0;
}
