// Four blocks of a gigabyte each are more than 32 bits can address, beside everything else: the last allocation fails.
// The error is reached.
#include <errno.h>
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
  char *a = malloc(1u << 30), *b = malloc(1u << 30), *c = malloc(1u << 30);
  errno = 0;
  char *d = malloc(1u << 30);
  if (a && b && c && !d && errno == ENOMEM) reach_error();
  return 0;
}
