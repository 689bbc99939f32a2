// reach_error has a body of its own, as in older task collections; it is never called.
#include <assert.h>

extern void abort(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
  ERROR: {
    reach_error();
    abort();
  }
  }
}

int main(void) {
  int x = 3;
  __VERIFIER_assert(x * x == 9);
  return 0;
}
