// A block is copied to an offset that is not known, into the middle of an int.
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static char text[24], pattern[] = "abcdefg";

int main(void) {
  unsigned at = __VERIFIER_nondet_uchar() % 16, looked = __VERIFIER_nondet_uchar() % 24;
  *(int *)(text + 8) = 0x01010101;
  memcpy(text + at, pattern, 7);
  if (looked == 0 && *(int *)(text + 8) == 0x62610101) reach_error();
  return 0;
}
