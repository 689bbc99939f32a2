// A block is copied to an offset that is not known: the windows at which it may arrive overlap each other and an int.
// Its bytes are there afterwards, and only there.
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static char text[24], pattern[] = "abcdefg";

int main(void) {
  unsigned at = __VERIFIER_nondet_uchar() % 16, looked = __VERIFIER_nondet_uchar() % 24;
  *(int *)(text + 8) = 0x01010101;
  memcpy(text + at, pattern, 7);
  if (looked >= at && looked < at + 7 && text[looked] != pattern[looked - at]) reach_error();
  if (looked >= 20 && at < 13 && text[looked] != 0) reach_error();
  if (at >= 12 && *(int *)(text + 8) != 0x01010101) reach_error();
  return 0;
}
