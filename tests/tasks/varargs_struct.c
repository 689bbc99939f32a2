// Structs as variable arguments: one that travels in memory, one in registers as long as there are any.
#include <assert.h>
#include <stdarg.h>

struct five { int a, b, c, d, e; };
struct two { long a, b; };

static long sum(int count, ...) {
  va_list list;
  va_start(list, count);
  struct five value = va_arg(list, struct five);
  long result = value.e;
  for (int i = 0; i < count; i++) {
    struct two next = va_arg(list, struct two);
    result = 10 * result + next.b;
  }
  va_end(list);
  return result;
}

int main(void) {
  struct five value = {1, 2, 3, 4, 5};
  struct two two = {0, 6}, three = {0, 7};
  assert(sum(3, value, two, three, two) != 5676);
  return 0;
}
