// The model does not compute what pow does: a violation that hangs on its result is none, so UNKNOWN.
#include <assert.h>
#include <math.h>

volatile double number = 7.5;

int main(void) {
  assert(pow(number, 2) == 56.25);
  return 0;
}
