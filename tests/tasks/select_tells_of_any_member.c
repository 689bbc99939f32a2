// Of two descriptors in the set the second one may be ready alone.
#include <assert.h>
#include <stddef.h>
#include <sys/select.h>

int main(void) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(0, &set);
  FD_SET(3, &set);
  if (select(4, &set, NULL, NULL, NULL) > 0) assert(FD_ISSET(0, &set) || !FD_ISSET(3, &set));
  return 0;
}
