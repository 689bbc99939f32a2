// The format is a variable, and the program has an empty text.
#include <assert.h>
#include <stdio.h>

char format[8] = "%d\n";

int main(void) {
  assert(printf(format, 5) < 0 || puts("") >= 0);
  return 0;
}
