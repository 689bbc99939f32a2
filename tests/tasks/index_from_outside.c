// An index that comes from an undefined function, or from a file, may be any: it leaves the array. An uninitialised
// pointer stays one where an undefined function is called.
#include <unistd.h>

extern long choose(void);

int main(void) {
  char text[4];
  size_t index = 0;
  if (read(0, &index, sizeof index) != sizeof index) return 1;
  text[choose() == 7 ? index : 0] = 1;
  return 0;
}
