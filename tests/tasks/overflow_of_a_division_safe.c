// No other quotient overflows. A division by zero is none either: it has a property of its own.
#include <limits.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
  char divisor = __VERIFIER_nondet_char();
  if (divisor == 0) return 0;
  int q = (INT_MIN + 1) / divisor;
  unsigned u = 0x80000000u / (unsigned)-1;
  return q + u == 7;
}
