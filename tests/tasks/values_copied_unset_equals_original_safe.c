// What was not set holds any value, but its copy holds the same: both are positive, or none is.
#include <assert.h>

struct pair {
  int set, unset;
};

int main(void) {
  struct pair original, copy;
  original.set = 1;
  copy = original;
  assert(copy.set == 1);
  assert((copy.unset > 0) == (original.unset > 0));
  return 0;
}
