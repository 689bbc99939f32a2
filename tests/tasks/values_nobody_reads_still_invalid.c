// Nothing depends on what is read, nor on the quotient. The read of freed memory is invalid all the same, and the
// divisor is zero for one input.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
unsigned sink;

int main(void) {
  unsigned *block = malloc(sizeof *block);
  unsigned divisor = __VERIFIER_nondet_uint();
  sink = 100 / (divisor * 5 + 15); // zero if the divisor is 2^32 - 3
  *block = 1;
  free(block);
  sink = *block;
  return 0;
}
