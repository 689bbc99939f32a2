// Complex multiplication and division, which compilers make calls of.
//
// Exact: what libgcc (since GCC 12) computes, rounding included. A product is recomputed where both parts came out as
// not-a-number although a factor is infinite (C, annex G). A quotient of doubles is computed by Smith's method, with
// the scaling that Baudin and Smith describe; one of floats in double precision. Long double is not modelled.
#include "heddle.h"

#include <float.h>

#define LARGEST (DBL_MAX / 2)
#define SCALE (1 / DBL_EPSILON)
#define LARGEST_SCALED (LARGEST * DBL_EPSILON)

static double magnitude(double value) { return __builtin_fabs(value); }
static int is_infinite(double value) { return magnitude(value) == __builtin_inf(); }
static int is_finite(double value) { return magnitude(value) <= DBL_MAX; }
static int is_nan(double value) { return value != value; }

// 1 for an infinite value, else 0, with its sign.
static double boxed(double value) { return __builtin_copysign(is_infinite(value) ? 1.0 : 0.0, value); }
static double without_nan(double value) { return is_nan(value) ? __builtin_copysign(0.0, value) : value; }

// A product, in the arithmetic of `type`.
#define PRODUCT(type, name)                                                                                            \
  type _Complex name(type a, type b, type c, type d) {                                                                 \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc, infinity = (type)__builtin_inf();   \
    if (!is_nan(x) || !is_nan(y)) return __builtin_complex(x, y);                                                      \
    int left = is_infinite(a) || is_infinite(b), right = is_infinite(c) || is_infinite(d);                             \
    int parts = is_infinite(ac) || is_infinite(bd) || is_infinite(ad) || is_infinite(bc);                              \
    if (!left && !right && !parts) return __builtin_complex(x, y);                                                     \
    a = (type)(left ? boxed(a) : without_nan(a));                                                                      \
    b = (type)(left ? boxed(b) : without_nan(b));                                                                      \
    c = (type)(right ? boxed(c) : without_nan(c));                                                                     \
    d = (type)(right ? boxed(d) : without_nan(d));                                                                     \
    return __builtin_complex(infinity * (a * c - b * d), infinity * (a * d + b * c));                                  \
  }

PRODUCT(double, __muldc3)
PRODUCT(float, __mulsc3)

// A quotient both of whose parts came out as not-a-number.
#define RECOVERED(type, name)                                                                                          \
  static type _Complex name(type a, type b, type c, type d, type x, type y) {                                          \
    type infinity = (type)__builtin_inf();                                                                             \
    if (c == 0 && d == 0 && (!is_nan(a) || !is_nan(b))) {                                                              \
      infinity = (type)__builtin_copysign(infinity, c);                                                                \
      return __builtin_complex(infinity * a, infinity * b);                                                            \
    }                                                                                                                  \
    if ((is_infinite(a) || is_infinite(b)) && is_finite(c) && is_finite(d)) {                                          \
      a = (type)boxed(a);                                                                                              \
      b = (type)boxed(b);                                                                                              \
      return __builtin_complex(infinity * (a * c + b * d), infinity * (b * c - a * d));                                \
    }                                                                                                                  \
    if ((is_infinite(c) || is_infinite(d)) && is_finite(a) && is_finite(b)) {                                          \
      c = (type)boxed(c);                                                                                              \
      d = (type)boxed(d);                                                                                              \
      return __builtin_complex((type)0 * (a * c + b * d), (type)0 * (b * c - a * d));                                  \
    }                                                                                                                  \
    return __builtin_complex(x, y);                                                                                    \
  }

RECOVERED(double, recovered)
RECOVERED(float, recovered_float)

// By how much the operands are scaled, given the larger part of the divisor; LARGEST and beyond are halved before.
static double scale_for(double a, double b, double larger) {
  double first = magnitude(a), second = magnitude(b);
  if (larger < DBL_EPSILON) return SCALE;
  int small = larger < LARGEST_SCALED &&
              ((first < DBL_MIN && second < LARGEST_SCALED) || (second < DBL_MIN && first < LARGEST_SCALED));
  return small ? SCALE : 1;
}

double _Complex __divdc3(double a, double b, double c, double d) {
  double x, y, p = a, q = b;
  int swapped = magnitude(c) < magnitude(d);
  double larger = swapped ? d : c, smaller = swapped ? c : d;
  if (magnitude(larger) >= LARGEST) {
    p = p / 2;
    q = q / 2;
    larger = larger / 2;
    smaller = smaller / 2;
  }
  double scale = scale_for(p, q, magnitude(larger));
  if (scale != 1) {
    p = p * scale;
    q = q * scale;
    larger = larger * scale;
    smaller = smaller * scale;
  }
  double ratio = smaller / larger, divisor = smaller * ratio + larger;
  int small = !(magnitude(ratio) > DBL_MIN);
  if (swapped) {
    x = ((small ? smaller * (p / larger) : p * ratio) + q) / divisor;
    y = ((small ? smaller * (q / larger) : q * ratio) - p) / divisor;
  } else {
    x = (p + (small ? smaller * (q / larger) : q * ratio)) / divisor;
    y = (q - (small ? smaller * (p / larger) : p * ratio)) / divisor;
  }
  if (!is_nan(x) || !is_nan(y)) return __builtin_complex(x, y);
  return swapped ? recovered(p, q, smaller, larger, x, y) : recovered(p, q, larger, smaller, x, y);
}

float _Complex __divsc3(float a, float b, float c, float d) {
  double p = a, q = b, r = c, s = d, divisor = r * r + s * s;
  float x = (float)((p * r + q * s) / divisor), y = (float)((q * r - p * s) / divisor);
  return is_nan(x) && is_nan(y) ? recovered_float(a, b, c, d, x, y) : __builtin_complex(x, y);
}
