// Text to floating point. What is a number, where it ends and how large it is are exact; the value is exact for up to
// 15 significant digits and powers of ten up to 22, where one multiplication or division rounds once, and any other
// number beyond. Hexadecimal numbers and the locale's signs are not read.
#include "errors.h"
#include "heddle.h"
#include "user_data.h"

double __heddle_select_double(int condition, double if_true, double if_false);

enum { MOST_DIGITS = 15, MOST_POWER = 22 };

struct real {
  unsigned long long digits; // as a whole number
  int count;                 // significant digits
  int power;                 // of ten
  int negative, special;     // special: 1 infinite, 2 not a number
  const char *end;           // NULL: no number
};

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int HEDDLE_PLAIN(word)(const char *at, const char *word) {
  int length = 0;
  while (word[length] != 0 && small(at[length]) == word[length]) length++;
  return word[length] == 0 ? length : 0;
}

static void HEDDLE_PLAIN(read_digits)(struct real *real, const char **place) {
  const char *at = *place;
  int behind_point = 0;
  for (;; at++) {
    char c = *at;
    if (c == '.' && !behind_point) {
      behind_point = 1;
      continue;
    }
    if (!is_digit(c)) break;
    real->end = at + 1;
    if (real->count > 0 || c != '0') {
      if (real->count < 18) real->digits = real->digits * 10 + (unsigned)(c - '0');
      if (real->count >= 18) real->power++;
      real->count++;
    }
    real->power -= behind_point;
  }
  if (real->end && behind_point && at > real->end) real->end = at; // "1."
  *place = at;
}

static void HEDDLE_PLAIN(read_exponent)(struct real *real) {
  const char *at = real->end;
  if (*at != 'e' && *at != 'E') return;
  at++;
  int negative = *at == '-', exponent = 0;
  if (*at == '-' || *at == '+') at++;
  if (!is_digit(*at)) return;
  for (; is_digit(*at); at++) exponent = exponent > 9999 ? exponent : exponent * 10 + (*at - '0');
  real->power += negative ? -exponent : exponent;
  real->end = at;
}

// Behind "nan": letters, digits and underscores in parentheses, or nothing.
static const char *HEDDLE_PLAIN(skip_kind_of_nan)(const char *at) {
  if (*at != '(') return at;
  const char *end = at + 1;
  while (is_digit(*end) || (small(*end) >= 'a' && small(*end) <= 'z') || *end == '_') end++;
  return *end == ')' ? end + 1 : at;
}

static struct real HEDDLE_PLAIN(parse)(const char *at) {
  struct real real = {.end = NULL};
  while (is_space(*at)) at++;
  if (*at == '-' || *at == '+') real.negative = *at++ == '-';
  int infinite = HEDDLE_PLAIN(word)(at, "inf"), none = HEDDLE_PLAIN(word)(at, "nan");
  if (infinite || none) {
    int longer = HEDDLE_PLAIN(word)(at, "infinity");
    real.special = infinite ? 1 : 2;
    real.end = at + (longer ? longer : 3);
    if (none) real.end = HEDDLE_PLAIN(skip_kind_of_nan)(real.end);
    return real;
  }
  if (at[0] == '0' && small(at[1]) == 'x') __heddle_unmodelled("a hexadecimal number as text");
  HEDDLE_PLAIN(read_digits)(&real, &at);
  if (real.end) HEDDLE_PLAIN(read_exponent)(&real);
  return real;
}

static double power_of_ten(int power) {
  double result = 1;
  for (int i = 0; i < power; i++) result *= 10;
  return result;
}

static double magnitude(const struct real *real) {
  if (real->special) return real->special == 1 ? __builtin_inf() : __builtin_nan("");
  if (real->digits == 0) return 0;
  if (real->count <= MOST_DIGITS && real->power >= -MOST_POWER && real->power <= MOST_POWER) {
    double digits = (double)real->digits;
    return real->power < 0 ? digits / power_of_ten(-real->power) : digits * power_of_ten(real->power);
  }
  if (real->count + real->power > 330) {
    errno = ERANGE;
    return __builtin_inf();
  }
  if (real->count + real->power < -330) {
    errno = ERANGE;
    return 0;
  }
  double value = __heddle_guess_double();
  return __heddle_select_double(value >= 0, value, 0);
}

static double parse_number(const char *text, char **end) {
  struct real real = HEDDLE_PLAIN(parse)(text);
  if (end) HEDDLE_PLAIN(store_pointer)((void **)end, (void *)(real.end ? real.end : text));
  if (!real.end) return 0;
  double value = magnitude(&real);
  return real.negative ? -value : value;
}

double strtod(const char *text, char **end) { return parse_number(text, end); }
float strtof(const char *text, char **end) { return (float)parse_number(text, end); }
double atof(const char *text) { return parse_number(text, NULL); }
double __strtod_internal(const char *text, char **end, int group) { return parse_number(text, end); }
long double strtold(const char *text, char **end) { __heddle_unmodelled("strtold"); }
