// The value of a variable may be longer than is modelled: the cut stands where it is read.
#include <stdlib.h>
void reach_error(void) {}

int main(void) {
  char *path = getenv("WHERE");
  int i = 0;
  while (path && path[i])
    i++;
  if (i > 30)
    reach_error();
  return 0;
}
