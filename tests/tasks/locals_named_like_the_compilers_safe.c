// Names that clang gives to slots of its own, as variables of the source.
#include <assert.h>

static int twice(int retval) {
  int cleanup_dest = retval, saved_stack = retval;
  for (int vla = 0; vla < 1; vla++) {
    int retval = cleanup_dest;
    saved_stack += retval;
  }
  return saved_stack;
}

static int falls_off(int way) {
  if (way) return way;
}

int main(void) {
  int retval = twice(4);
  falls_off(0);
  assert(retval == 8 && falls_off(2) == 2);
  return 0;
}
