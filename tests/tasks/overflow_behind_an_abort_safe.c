// The process ends before the overflow: a failed assertion ends it, too, and violates another property.
#include <assert.h>
#include <limits.h>
int x = INT_MAX;

int main(void) {
  assert(x != INT_MAX);
  return x + 1;
}
