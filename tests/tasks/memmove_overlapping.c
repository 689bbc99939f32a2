// memmove works as if through a copy, in both directions; memset and memcmp on the way.
#include <string.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  char text[6] = "abcd";
  memmove(text + 1, text, 4);
  if (memcmp(text, "aabcd", 5) != 0)
    reach_error();
  memmove(text, text + 2, 3);
  if (memcmp(text, "bcdcd", 5) != 0)
    reach_error();
  memset(text, 'z', 2);
  if (text[1] != 'z' || text[2] != 'd')
    reach_error();
  return 0;
}
