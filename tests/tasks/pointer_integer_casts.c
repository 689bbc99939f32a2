// A pointer survives the way through an integer, also when the integer is changed and changed back.
#include <stdint.h>

extern void abort(void);
void reach_error(void) {}

int array[4] = {10, 11, 12, 13};

int main(void) {
  uintptr_t number = (uintptr_t)&array[1];
  if (*(int *)number != 11 || *(int *)(number + 2 * sizeof(int)) != 13)
    reach_error();
  if (number % sizeof(int) != 0)
    reach_error();
  uintptr_t tagged = number | 1;
  if (tagged == number || *(int *)(tagged & ~(uintptr_t)1) != 11)
    reach_error();
  if ((void *)0 != (void *)(uintptr_t)0 || (int *)number == 0)
    reach_error();
  return 0;
}
