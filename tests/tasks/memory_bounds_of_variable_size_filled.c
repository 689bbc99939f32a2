// memset of as many bytes as the block would have if its size were always the largest.
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char count = 4 + __VERIFIER_nondet_uchar() % 4;
  char *bytes = malloc(count);
  memset(bytes, 0, 7);
  return bytes[0];
}
