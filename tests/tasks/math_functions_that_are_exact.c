// Remainders, roundings and parts of numbers are exact; so is what has constant arguments.
#include <assert.h>
#include <math.h>

volatile double number = 7.5;

int main(void) {
  double whole;
  assert(fmod(number, 2) == 1.5 && remainder(number, 2) == -0.5);
  assert(modf(-number, &whole) == -0.5 && whole == -7.0);
  assert(lround(number) == 8 && lrint(number) == 8);
  assert(pow(2.0, 10.0) == 1024.0 && sin(0.0) == 0.0);
  return 0;
}
