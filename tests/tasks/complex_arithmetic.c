// Products and quotients of complex numbers, float and double, as libgcc computes them; infinite factors included.
#include <assert.h>

int main(void) {
  double _Complex a = 4 + 2i, b = 2, zero = 0;
  volatile double _Complex kept = a;
  a = kept;
  double _Complex quotient = a / b, product = a * a, large = a / zero;
  assert(__real__ quotient == 2 && __imag__ quotient == 1);
  assert(__real__ product == 12 && __imag__ product == 16);
  assert(__real__ large == __builtin_inf() && __imag__ large == __builtin_inf());
  float _Complex c = 1 + 3i, d = 1 - 1i;
  volatile float _Complex narrow = c;
  c = narrow;
  assert(__real__(c / d) == -1 && __imag__(c / d) == 2);
  assert(__real__(c * d) == 4 && __imag__(c * d) == 2);
  double _Complex infinite = __builtin_complex(__builtin_inf(), 0.0);
  assert(__real__(infinite * (1 + 1i)) == __builtin_inf());
  return 0;
}
