// The function is not there and may write to all bytes of the block, as many as there are; the block stays as it is
// otherwise. The error is reached.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void receive(char *bytes);
void reach_error(void) {}

int main(void) {
  unsigned count = 1 + __VERIFIER_nondet_uchar() % 3;
  char *bytes = calloc(count, 1);
  receive(bytes);
  if (count == 2 && bytes[1] == 5)
    reach_error();
  free(bytes);
  return 0;
}
