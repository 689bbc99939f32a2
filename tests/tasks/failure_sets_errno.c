// A call that fails leaves an error in errno.
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void) {
  errno = 0;
  if (write(1, "text", 4) < 0) assert(errno > 0);
  return 0;
}
