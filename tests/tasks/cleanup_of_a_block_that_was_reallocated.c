// realloc frees the old block, and hands out one that is never freed. strdup allocates, too.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *p = strdup("a");
  p = realloc(p, 40);
  p[1] = 0;
  return p[1];
}
