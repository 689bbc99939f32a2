// memcpy between objects of different element sizes: shorts into an int and back, on a little-endian machine.
#include <string.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  unsigned short halves[2] = {0x5678, 0x1234};
  unsigned whole = 0;
  memcpy(&whole, halves, sizeof whole);
  if (whole != 0x12345678)
    reach_error();
  memcpy((char *)halves + 1, &whole, 2); // straddles both elements
  if (halves[0] != 0x7878 || halves[1] != 0x1256)
    reach_error();
  return 0;
}
