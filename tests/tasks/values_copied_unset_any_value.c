// What was not set holds any value, its copy the same one. The copy can be 77777, so the error can be reached.
#include <assert.h>

struct pair {
  int set, unset;
};

int main(void) {
  struct pair original, copy;
  original.set = 1;
  copy = original;
  assert(copy.set == 1);
  assert(copy.unset != 77777);
  return 0;
}
