// The remainder would be 0, but the quotient does not fit: undefined as well.
#include <limits.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int divisor = __VERIFIER_nondet_bool() ? -1 : 1;
  return INT_MIN % divisor;
}
