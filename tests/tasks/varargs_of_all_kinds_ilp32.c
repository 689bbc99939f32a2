// For ILP32, where all travel in memory: variable arguments of all kinds, behind named parameters that use some; a
// copied list goes on from where it was copied.
#include <assert.h>
#include <stdarg.h>

static void take(int first, double half, const char *text, ...) {
  va_list list, copy;
  va_start(list, text);
  for (int i = 0; i < 6; i++) {
    assert(va_arg(list, int) == i);
    assert(va_arg(list, double) == i + half);
  }
  va_copy(copy, list);
  for (int i = 6; i < 9; i++) {
    assert(va_arg(list, long long) == i);
    assert(va_arg(list, double) == i + half);
  }
  assert(va_arg(copy, long long) == 6);
  assert(*va_arg(list, const char *) == *text);
  va_end(list);
  va_end(copy);
}

int main(void) {
  const char *text = "x";
  take(0, 0.5, text, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6LL, 6.5, 7LL, 7.5, 8LL, 8.5, text);
  return 0;
}
