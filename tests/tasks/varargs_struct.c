// A struct as a variable argument. Not modelled, and said so.
#include <assert.h>
#include <stdarg.h>

struct five { int a, b, c, d, e; };

static int last(int count, ...) {
  va_list list;
  va_start(list, count);
  struct five value = va_arg(list, struct five);
  va_end(list);
  return value.e;
}

int main(void) {
  struct five value = {1, 2, 3, 4, 5};
  assert(last(1, value) != 5);
  return 0;
}
