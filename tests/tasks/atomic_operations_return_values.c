// What the operations of stdatomic.h return and store.
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  atomic_int a = 12;
  int expected = 5;
  if (atomic_fetch_sub(&a, 2) != 12 || atomic_fetch_or(&a, 5) != 10 || atomic_fetch_and(&a, 9) != 15)
    reach_error();
  if (atomic_fetch_xor(&a, 1) != 9 || atomic_exchange(&a, 3) != 8 || atomic_load(&a) != 3)
    reach_error();
  if (atomic_compare_exchange_strong(&a, &expected, 7) || expected != 3 || a != 3)
    reach_error();
  if (!atomic_compare_exchange_strong(&a, &expected, 7) || a != 7 || expected != 3)
    reach_error();
  atomic_flag flag = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&flag) || !atomic_flag_test_and_set(&flag))
    reach_error();
  atomic_flag_clear(&flag);
  if (atomic_flag_test_and_set(&flag))
    reach_error();
  return 0;
}
