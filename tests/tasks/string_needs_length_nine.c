// The error needs a string of nine characters.
// Unsafe: a smaller bound on string length may only say UNKNOWN.
#include <string.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  char text[16];
  memset(text, 'a', 9);
  text[9] = 0;
  if (strlen(text) == 9)
    reach_error();
  return 0;
}
