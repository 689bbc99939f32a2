// A variable argument that is aligned to 16 or 32 bytes leaves a gap before it, in memory, and none in registers.
#include <assert.h>
#include <stdarg.h>

struct __attribute__((aligned(16))) pair { long x, y; };
struct __attribute__((aligned(32))) wide { long x; };

static void take(int count, ...) {
  va_list list;
  va_start(list, count);
  assert(va_arg(list, int) == 1);
  struct pair pair = va_arg(list, struct pair);
  assert(pair.x == 2 && pair.y == 3);
  for (int i = 0; i < count; i++) assert(va_arg(list, int) == 10 + i);
  struct wide wide = va_arg(list, struct wide);
  assert(wide.x == 4);
  pair = va_arg(list, struct pair);
  assert(pair.x == 2 && pair.y == 3);
  assert(va_arg(list, __int128) == (__int128)5 << 64);
  assert(va_arg(list, double) == 0.5);
  va_end(list);
}

int main(void) {
  struct pair pair = {2, 3};
  struct wide wide = {4};
  take(4, 1, pair, 10, 11, 12, 13, wide, pair, (__int128)5 << 64, 0.5);
  take(0, 1, pair, wide, pair, (__int128)5 << 64, 0.5);
  return 0;
}
