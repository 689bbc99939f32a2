// A write may be interrupted, for instance.
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void) {
  errno = 0;
  if (write(1, "text", 4) < 0) assert(errno != EINTR);
  return 0;
}
