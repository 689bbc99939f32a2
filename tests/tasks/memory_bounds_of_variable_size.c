// Out of bounds by one, of a block whose size is an input.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char count = __VERIFIER_nondet_uchar();
  if (count < 1 || count > 4)
    return 0;
  char *bytes = malloc(count);
  bytes[count] = 1;
  return 0;
}
