// No object is larger than PTRDIFF_MAX bytes: malloc, calloc, realloc and aligned_alloc refuse, and realloc leaves the
// block as it was. Safe.
#include <stdint.h>
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
  size_t huge = (size_t)PTRDIFF_MAX + 1;
  char *p = malloc(4);
  p[0] = 7;
  if (malloc(huge) || calloc(huge / 8, 8) || calloc(SIZE_MAX, 2) || aligned_alloc(64, SIZE_MAX) || realloc(p, huge))
    reach_error();
  if (p[0] != 7) reach_error();
  free(p);
  return 0;
}
