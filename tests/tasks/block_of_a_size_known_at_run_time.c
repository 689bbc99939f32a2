// The sizes are those of constants and of a variable that is set before: more than a few hundred bytes, and exact.
// Safe.
#include <stdlib.h>

void reach_error(void) {}

static const int columns = 20;
static int rows = 10;
static int places;

int main(void) {
  int *table = malloc((size_t)(rows * columns) * sizeof *table);
  places = rows * columns;
  char *taken = calloc((size_t)places, 4);
  table[199] = 3;
  if (table[rows * columns - 1] != 3 || taken[799] != 0)
    reach_error();
  free(table);
  free(taken);
  return 0;
}
