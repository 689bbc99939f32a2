// Numbers: abs and division, text to integer, numbers in base 64, and the roundings and square root of <math.h>.
//
// Exact, in the C locale, errno included. Text to floating point is in reals.c, other functions of <math.h> in math.c.
#include "errors.h"
#include "heddle.h"
#include "user_data.h"

#include <limits.h>

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }

typedef struct {
  int quot, rem;
} int_division;
typedef struct {
  long quot, rem;
} long_division;
typedef struct {
  long long quot, rem;
} longlong_division;

int_division div(int a, int b) { return (int_division){a / b, a % b}; }
long_division ldiv(long a, long b) { return (long_division){a / b, a % b}; }
longlong_division lldiv(long long a, long long b) { return (longlong_division){a / b, a % b}; }
long long imaxabs(long long value) { return llabs(value); } // an intmax_t
longlong_division imaxdiv(long long a, long long b) { return lldiv(a, b); }

// The value of a digit, or 36.
static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 36;
}

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct parsed {
  unsigned long long magnitude; // of what was read, at most `limit`
  int negative, overflow;
  const char *end; // where the text starts if there was no number
};

// `positive` and `negative` are the largest magnitudes that fit.
static struct parsed HEDDLE_PLAIN(parse)(const char *text, unsigned base, unsigned long long positive,
                                         unsigned long long negative) {
  struct parsed result = {0, 0, 0, text};
  const char *at = text;
  while (is_space(*at)) at++;
  if (*at == '-' || *at == '+') result.negative = *at++ == '-';
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit_value(at[2]) < 16) {
    at += 2;
    base = 16;
  }
  if (base == 0) base = *at == '0' ? 8 : 10;
  unsigned long long limit = result.negative ? negative : positive;
  for (;; at++) {
    unsigned digit = digit_value(*at);
    if (digit >= base) break;
    if (result.magnitude > (limit - digit) / base) result.overflow = 1;
    result.magnitude = result.overflow ? limit : result.magnitude * base + digit;
    result.end = at + 1;
  }
  return result;
}

static unsigned long long parse_number(const char *text, char **end, int base, unsigned long long positive,
                                       unsigned long long negative) {
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  struct parsed parsed = HEDDLE_PLAIN(parse)(text, (unsigned)base, positive, negative);
  if (end) HEDDLE_PLAIN(store_pointer)((void **)end, (void *)parsed.end);
  if (parsed.overflow) {
    errno = ERANGE;
    return parsed.negative && negative != positive ? -negative : positive;
  }
  return parsed.negative ? -parsed.magnitude : parsed.magnitude;
}

long strtol(const char *text, char **end, int base) {
  return (long)parse_number(text, end, base, LONG_MAX, (unsigned long)LONG_MAX + 1);
}

long long strtoll(const char *text, char **end, int base) {
  return (long long)parse_number(text, end, base, LLONG_MAX, (unsigned long long)LLONG_MAX + 1);
}

unsigned long strtoul(const char *text, char **end, int base) {
  return (unsigned long)parse_number(text, end, base, ULONG_MAX, ULONG_MAX);
}

unsigned long long strtoull(const char *text, char **end, int base) {
  return parse_number(text, end, base, ULLONG_MAX, ULLONG_MAX);
}

int atoi(const char *text) { return (int)strtol(text, NULL, 10); }
long atol(const char *text) { return strtol(text, NULL, 10); }
long long atoll(const char *text) { return strtoll(text, NULL, 10); }
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

long __strtol_internal(const char *text, char **end, int base, int group) { return strtol(text, end, base); }
unsigned long __strtoul_internal(const char *text, char **end, int base, int group) { return strtoul(text, end, base); }
long long __strtoll_internal(const char *text, char **end, int base, int group) { return strtoll(text, end, base); }
unsigned long long __strtoull_internal(const char *text, char **end, int base, int group) {
  return strtoull(text, end, base);
}
long long strtoq(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long strtouq(const char *text, char **end, int base) { return strtoull(text, end, base); }
long long strtoimax(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long long strtoumax(const char *text, char **end, int base) { return strtoull(text, end, base); }

// The elementwise builtins become intrinsics; the plain ones would become calls of these very functions.
double sqrt(double x) { return __builtin_elementwise_sqrt(x); }
float sqrtf(float x) { return __builtin_elementwise_sqrt(x); }
double fabs(double x) { return __builtin_elementwise_abs(x); }
float fabsf(float x) { return __builtin_elementwise_abs(x); }
// Rounding, on the bits of IEEE 754 numbers: a number whose exponent reaches the width of its fraction is whole.
double trunc(double x) {
  union {
    double number;
    unsigned long long bits;
  } u = {x};
  int exponent = (int)(u.bits >> 52 & 0x7ff) - 1023;
  if (exponent >= 52) return x; // also infinities and NaN
  if (exponent < 0)
    u.bits &= 1ull << 63;
  else
    u.bits &= ~(0xfffffffffffffull >> exponent);
  return u.number;
}

float truncf(float x) {
  union {
    float number;
    unsigned bits;
  } u = {x};
  int exponent = (int)(u.bits >> 23 & 0xff) - 127;
  if (exponent >= 23) return x;
  if (exponent < 0)
    u.bits &= 1u << 31;
  else
    u.bits &= ~(0x7fffffu >> exponent);
  return u.number;
}

double floor(double x) {
  double whole = trunc(x);
  return whole > x ? whole - 1 : whole;
}

float floorf(float x) {
  float whole = truncf(x);
  return whole > x ? whole - 1 : whole;
}

double ceil(double x) {
  double whole = trunc(x);
  return whole < x ? whole + 1 : whole;
}

float ceilf(float x) {
  float whole = truncf(x);
  return whole < x ? whole + 1 : whole;
}

double round(double x) { // halves away from zero
  double whole = trunc(x), rest = x - whole;
  if (rest >= 0.5) return whole + 1;
  return rest <= -0.5 ? whole - 1 : whole;
}

float roundf(float x) {
  float whole = truncf(x), rest = x - whole;
  if (rest >= 0.5f) return whole + 1;
  return rest <= -0.5f ? whole - 1 : whole;
}

// Rounding to nearest even is the default mode: adding and taking away 2^52 leaves no fraction.
double rint(double x) {
  double large = __builtin_copysign(4503599627370496.0, x);
  if (!(__builtin_fabs(x) < 4503599627370496.0)) return x;
  return __builtin_copysign(x + large - large, x);
}

float rintf(float x) {
  float large = __builtin_copysignf(8388608.0f, x);
  if (!(__builtin_fabsf(x) < 8388608.0f)) return x;
  return __builtin_copysignf(x + large - large, x);
}

double nearbyint(double x) { return rint(x); }
float nearbyintf(float x) { return rintf(x); }
double fmax(double x, double y) { return x != x ? y : y != y ? x : x > y ? x : y; }
double fmin(double x, double y) { return x != x ? y : y != y ? x : x < y ? x : y; }

// --- numbers in base 64 (POSIX, a64l) ---

// The value of a digit, or 64: the text ends.
static unsigned digit64_value(char c) {
  if (c == '.' || c == '/') return c - '.';
  if (c >= '0' && c <= '9') return c - '0' + 2;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 12;
  if (c >= 'a' && c <= 'z') return c - 'a' + 38;
  return 64;
}

// At most six digits, the least significant one first; 32 bits of the value count.
static unsigned HEDDLE_PLAIN(parse64)(const char *text) {
  unsigned value = 0;
  for (unsigned i = 0; i < 6; i++) {
    unsigned digit = digit64_value(text[i]);
    if (digit == 64) break;
    value |= digit << 6 * i;
  }
  return value;
}

// POSIX extends the sign of a negative number, and glibc does not.
long a64l(const char *text) {
  unsigned value = HEDDLE_PLAIN(parse64)(text);
  if (value > INT_MAX) __heddle_unmodelled("a negative number read by a64l");
  return (int)value;
}

static char digits64[7]; // shared by all threads: l64a is not thread-safe

static void HEDDLE_PLAIN(print64)(unsigned value) {
  char *to = digits64;
  for (; value; value >>= 6) {
    unsigned digit = value & 63;
    *to++ = digit < 2 ? '.' + digit : digit < 12 ? '0' + digit - 2 : digit < 38 ? 'A' + digit - 12 : 'a' + digit - 38;
  }
  *to = '\0';
}

char *l64a(long value) {
  HEDDLE_PLAIN(print64)(value);
  return digits64;
}
