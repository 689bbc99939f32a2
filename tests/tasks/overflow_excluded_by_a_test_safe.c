// The operands are inputs of 32 bits; the test excludes that their sum overflows.
#include <limits.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a > 0 && b > INT_MAX - a) return 1;
  if (a < 0 && b < INT_MIN - a) return 1;
  return a + b == 12345;
}
