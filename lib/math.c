// The functions of <math.h> that numbers.c does not compute exactly: any result in the function's range. Two calls
// with the same argument may have different results. With constant arguments the front end computes the result itself
// (front/arithmetic/mathematics.c).
//
// Exact: fmod, remainder, rounding to integers, modf, fdim, fmaxf, fminf, the tests of <math.h> under their old names,
// ffs.
#include "results.h"
#include "user_data.h"

double __heddle_select_double(int condition, double if_true, double if_false);
float __heddle_select_float(int condition, float if_true, float if_false);

// errno may be set for an argument outside the domain or a result out of range.
static void note_range(void) {
  if (!__heddle_errno_matters) return;
  int code = __heddle_select_int(__heddle_fresh_bool(), EDOM, ERANGE), old = errno;
  errno = __heddle_select_int(__heddle_fresh_bool(), code, old);
}

static double any_double(void) {
  note_range();
  return __heddle_guess_double();
}

static float any_float(void) {
  note_range();
  return __heddle_guess_float();
}

// In the range if the argument is a finite number.
static double double_in(double x, double least, double most) {
  double value = any_double();
  int inside = (value >= least) & (value <= most);
  return __heddle_select_double(inside | (x - x != 0), value, least);
}

static float float_in(float x, float least, float most) {
  float value = any_float();
  int inside = (value >= least) & (value <= most);
  return __heddle_select_float(inside | (x - x != 0), value, least);
}

#define ANY(name)                                                                                                      \
  double name(double x) { return any_double(); }                                                                       \
  float name##f(float x) { return any_float(); }
#define ANY_OF_TWO(name)                                                                                               \
  double name(double x, double y) { return any_double(); }                                                             \
  float name##f(float x, float y) { return any_float(); }
#define BETWEEN(name, least, most)                                                                                     \
  double name(double x) { return double_in(x, least, most); }                                                          \
  float name##f(float x) { return float_in(x, least, most); }

BETWEEN(sin, -1, 1)
BETWEEN(cos, -1, 1)
BETWEEN(tanh, -1, 1)
BETWEEN(erf, -1, 1)
BETWEEN(erfc, 0, 2)
BETWEEN(exp, 0, __builtin_inf())
BETWEEN(exp2, 0, __builtin_inf())
BETWEEN(exp10, 0, __builtin_inf())
BETWEEN(cosh, 1, __builtin_inf())
ANY(tan)
ANY(asin)
ANY(acos)
BETWEEN(atan, -1.6, 1.6)
ANY(sinh)
ANY(asinh)
ANY(acosh)
ANY(atanh)
ANY(expm1)
ANY(log)
ANY(log2)
ANY(log10)
ANY(log1p)
ANY(logb)
ANY(cbrt)
ANY(tgamma)
ANY(lgamma)
ANY(j0)
ANY(j1)
ANY(y0)
ANY(y1)
ANY_OF_TWO(pow)
ANY_OF_TWO(atan2)
ANY_OF_TWO(hypot)
ANY_OF_TWO(nextafter)
double fma(double x, double y, double z) { return any_double(); }
float fmaf(float x, float y, float z) { return any_float(); }
double ldexp(double x, int exponent) { return any_double(); }
float ldexpf(float x, int exponent) { return any_float(); }
double scalbn(double x, int exponent) { return any_double(); }
float scalbnf(float x, int exponent) { return any_float(); }
double scalbln(double x, long exponent) { return any_double(); }
int ilogb(double x) { return __heddle_guess_int(); }
int ilogbf(float x) { return __heddle_guess_int(); }

double frexp(double x, int *exponent) {
  HEDDLE_PLAIN(store_int)(exponent, any_in(-1073, 1024));
  return any_double();
}

float frexpf(float x, int *exponent) {
  HEDDLE_PLAIN(store_int)(exponent, any_in(-148, 128));
  return any_float();
}

static void HEDDLE_PLAIN(store_double)(double *to, double value) { *to = value; }
static void HEDDLE_PLAIN(store_float)(float *to, float value) { *to = value; }

void sincos(double x, double *sine, double *cosine) {
  HEDDLE_PLAIN(store_double)(sine, sin(x));
  HEDDLE_PLAIN(store_double)(cosine, cos(x));
}

double trunc(double);
float truncf(float);
double round(double);
float roundf(float);
double rint(double);
float rintf(float);

double modf(double x, double *whole) {
  double before = trunc(x);
  HEDDLE_PLAIN(store_double)(whole, before);
  return __builtin_copysign(x - x != 0 && x == x ? 0.0 : x - before, x);
}

float modff(float x, float *whole) {
  float before = truncf(x);
  HEDDLE_PLAIN(store_float)(whole, before);
  return __builtin_copysignf(x - x != 0 && x == x ? 0.0f : x - before, x);
}

// The remainder of x after subtracting y as often as possible: the largest multiple first, by doubling. All
// differences are exact. Signs, infinite numbers and zero are treated as C says.
double fmod(double x, double y) {
  if (x != x || y != y || x - x != 0 || y == 0) {
    note_range();
    return __builtin_nan("");
  }
  double rest = __builtin_fabs(x), unit = __builtin_fabs(y);
  if (unit - unit != 0) return x;
  double step = unit;
  while (step <= rest / 2) step += step;
  for (;;) {
    if (rest >= step) rest -= step;
    if (step == unit) break;
    step /= 2;
  }
  return __builtin_copysign(rest, x);
}

float fmodf(float x, float y) { return (float)fmod(x, y); }

// Rounded to the nearest multiple, to an even one in the middle.
double remainder(double x, double y) {
  double size = __builtin_fabs(y), rest = fmod(x, y);
  if (rest != rest || size - size != 0) return rest;
  double left = __builtin_fabs(rest), other = size - left;
  int odd = fmod(__builtin_fabs(x), size * 2) >= size;
  if (left < other || (left == other && !odd)) return rest;
  return __builtin_copysign(1.0, rest) < 0 ? rest + size : rest - size;
}

float remainderf(float x, float y) { return (float)remainder(x, y); }
double drem(double x, double y) { return remainder(x, y); }

long lround(double x) { return (long)round(x); }
long lroundf(float x) { return (long)roundf(x); }
long long llround(double x) { return (long long)round(x); }
long long llroundf(float x) { return (long long)roundf(x); }
long lrint(double x) { return (long)rint(x); }
long lrintf(float x) { return (long)rintf(x); }
long long llrint(double x) { return (long long)rint(x); }
long long llrintf(float x) { return (long long)rintf(x); }
double fdim(double x, double y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }
float fdimf(float x, float y) { return x != x || y != y ? x + y : x > y ? x - y : 0; }
float fmaxf(float x, float y) { return x != x ? y : y != y ? x : x > y ? x : y; }
float fminf(float x, float y) { return x != x ? y : y != y ? x : x < y ? x : y; }
double copysign(double x, double sign) { return __builtin_copysign(x, sign); }
float copysignf(float x, float sign) { return __builtin_copysignf(x, sign); }
double nan(const char *text) {
  __heddle_read_string(text, (size_t)-1);
  return __builtin_nan("");
}

// --- tests ---

#define TESTS(prefix, suffix, type)                                                                                    \
  int prefix##isnan##suffix(type x) { return x != x; }                                                                 \
  int prefix##isinf##suffix(type x) { return x == x && x - x != 0 ? (x > 0 ? 1 : -1) : 0; }                            \
  int prefix##finite##suffix(type x) { return x - x == 0; }
TESTS(, , double)
TESTS(, f, float)
TESTS(__, , double)
TESTS(__, f, float)

int __signbit(double x) { return __builtin_copysign(1.0, x) < 0; }
int __signbitf(float x) { return __builtin_copysignf(1.0f, x) < 0; }

// 0 NaN, 1 infinite, 2 zero, 3 subnormal, 4 normal
int __fpclassify(double x) {
  if (x != x) return 0;
  double size = x < 0 ? -x : x;
  return x - x != 0 ? 1 : x == 0 ? 2 : size < 0x1p-1022 ? 3 : 4;
}

int __fpclassifyf(float x) {
  if (x != x) return 0;
  float size = x < 0 ? -x : x;
  return x - x != 0 ? 1 : x == 0 ? 2 : size < 0x1p-126f ? 3 : 4;
}

// --- bits ---

int ffs(int value) { return value == 0 ? 0 : __builtin_ctz((unsigned)value) + 1; }
int ffsl(long value) { return value == 0 ? 0 : __builtin_ctzl((unsigned long)value) + 1; }
int ffsll(long long value) { return value == 0 ? 0 : __builtin_ctzll((unsigned long long)value) + 1; }
