// floor, ceil, trunc, round and rint are exact.
#include <assert.h>
#include <math.h>

volatile double number = 3.75, half = 2.5;
volatile float narrow = -1.25f;

int main(void) {
  assert(floor(number) == 3.0 && floor(-number) == -4.0);
  assert(ceil(number) == 4.0 && ceil(-number) == -3.0);
  assert(trunc(-number) == -3.0);
  assert(round(half) == 3.0 && round(-half) == -3.0);
  assert(rint(half) == 2.0);
  assert(floorf(narrow) == -2.0f && ceilf(narrow) == -1.0f);
  return 0;
}
