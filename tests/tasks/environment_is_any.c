// A variable of the environment may be set to anything, or not be set.
// Unsafe: it may begin with a 1; and it may not be set, so that a null pointer is dereferenced.
#include <stdlib.h>
void reach_error(void) {}

int main(void) {
  char *level = getenv("LEVEL");
  if (level[0] == '1')
    reach_error();
  return 0;
}
