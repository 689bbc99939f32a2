// What fmod computes is known, so any value would be too much: UNKNOWN.
#include <assert.h>
#include <math.h>

volatile double number = 7.5;

int main(void) {
  assert(fmod(number, 2) == 1.5);
  return 0;
}
