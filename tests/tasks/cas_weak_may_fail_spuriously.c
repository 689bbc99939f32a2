// atomic_compare_exchange_weak may fail although the values are equal.
// Unsafe: spurious failures are a choice that has to be explored.
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  atomic_int a = 1;
  int expected = 1;
  if (!atomic_compare_exchange_weak(&a, &expected, 2))
    reach_error();
  return 0;
}
