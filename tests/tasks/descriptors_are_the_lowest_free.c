// open gives the lowest descriptor that is free; one that was closed is free again.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  int one = open("one", O_RDONLY), other = open("other", O_RDONLY);
  if (one < 0 || other < 0) return 1;
  assert(one == 3 && other == 4);
  close(one);
  int third = open("third", O_RDONLY);
  assert(third < 0 || third == 3);
  return 0;
}
