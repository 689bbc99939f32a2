// Arithmetic on atomic objects wraps, as C says of atomic_fetch_add; also where clang makes a loop of it.
#include <limits.h>
#include <stdatomic.h>

_Atomic int x = INT_MAX;
_Atomic long long y = LLONG_MAX;

int main(void) {
  x++;
  x -= 1;
  atomic_fetch_add(&x, 1);
  x *= 2;
  y += 1;
  __atomic_fetch_sub(&y, 1, __ATOMIC_SEQ_CST);
  return x != 0 || y != LLONG_MAX;
}
