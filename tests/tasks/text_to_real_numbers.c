// strtod reads a number and says where it ended.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static char text[] = " -1.25e2x";

int main(void) {
  char *end;
  double value = strtod(text, &end);
  assert(value == -125.0 && strcmp(end, "x") == 0);
  assert(atof("0.1") == 0.1 && strtod("none", &end) == 0 && *end == 'n');
  return 0;
}
