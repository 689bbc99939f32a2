// The text of formatted output: exact for integers, characters and strings in the C locale. A pointer, an error (%m)
// and a floating-point number become any text of a length that they can have (for %f of a moderate number: the right
// one).
//
// Digits are computed by division, but their number by comparisons only, so that no division is needed where the text
// does not matter.
#include "format.h"

#include <stdint.h>

size_t __heddle_guess_size(void);
char __heddle_guess_char(void);

size_t HEDDLE_PLAIN(put_character)(char *to, size_t room, size_t at, int c) {
  if (at + 1 < room) to[at] = (char)c;
  return at + 1;
}

size_t HEDDLE_PLAIN(put_text)(char *to, size_t room, size_t at, const char *text, size_t length) {
  for (size_t i = 0; i < length && at + i + 1 < room; i++) to[at + i] = text[i];
  return at + length;
}

static size_t HEDDLE_PLAIN(put_many)(char *to, size_t room, size_t at, char c, int count) {
  if (count <= 0) return at;
  for (size_t i = 0; i < (size_t)count && at + i + 1 < room; i++) to[at + i] = c;
  return at + (size_t)count;
}

void HEDDLE_PLAIN(put_end)(char *to, size_t room, size_t at) {
  if (room > 0) to[at < room ? at : room - 1] = 0;
}

// A width below 0 is the flag '-' and its absolute value.
static int absolute(int width) { return width < 0 ? -width : width; }
static int is_left(int show, int width) { return (show & SHOW_LEFT) != 0 || width < 0; }

size_t HEDDLE_PLAIN(put_padded)(char *to, size_t room, size_t at, int c, int show, int width) {
  int padding = absolute(width) - 1;
  if (!is_left(show, width)) at = HEDDLE_PLAIN(put_many)(to, room, at, ' ', padding);
  at = HEDDLE_PLAIN(put_character)(to, room, at, c);
  return is_left(show, width) ? HEDDLE_PLAIN(put_many)(to, room, at, ' ', padding) : at;
}

static size_t HEDDLE_PLAIN(length)(const char *string, int precision) {
  size_t length = 0, most = precision < 0 ? SIZE_MAX : (size_t)precision;
  while (length < most && string[length] != 0) length++;
  return length;
}

// A null pointer is printed as glibc does.
size_t HEDDLE_PLAIN(put_string)(char *to, size_t room, size_t at, const char *string, int show, int width,
                                int precision) {
  if (!string) string = precision < 0 || precision >= 6 ? "(null)" : "";
  if (width == 0) {
    size_t most = precision < 0 ? SIZE_MAX : (size_t)precision;
    for (size_t i = 0; i < most; i++) {
      char c = string[i];
      if (c == 0) break;
      at = HEDDLE_PLAIN(put_character)(to, room, at, c);
    }
    return at;
  }
  size_t length = HEDDLE_PLAIN(length)(string, precision), wanted = (size_t)absolute(width);
  int padding = wanted > length ? (int)(wanted - length) : 0;
  if (!is_left(show, width)) at = HEDDLE_PLAIN(put_many)(to, room, at, ' ', padding);
  at = HEDDLE_PLAIN(put_text)(to, room, at, string, length);
  return is_left(show, width) ? HEDDLE_PLAIN(put_many)(to, room, at, ' ', padding) : at;
}

void HEDDLE_PLAIN(read_printed)(const char *string, int precision) {
  if (string) __heddle_read_string(string, precision < 0 ? SIZE_MAX : (size_t)precision);
}

void HEDDLE_PLAIN(read_wide)(const int *string, int precision) {
  if (!string) return;
  for (size_t i = 0; (precision < 0 || i < (size_t)precision) && string[i] != 0; i++) continue;
}

// --- integers ---

struct number {
  int digits, zeros, padding; // zeros: before the digits
  int sign;                   // a character, or 0
  int prefix;                 // 'x' or 'X' behind a zero, or 0
};

static int sign_of(int negative, int show) {
  if (!(show & SHOW_SIGNED)) return 0;
  return negative ? '-' : show & SHOW_PLUS ? '+' : show & SHOW_SPACE ? ' ' : 0;
}

static struct number arrange(int digits, int sign, int nonzero, int show, int width, int precision) {
  struct number n = {.digits = digits, .sign = sign};
  int base = show >> SHOW_BASE_SHIFT;
  if (!nonzero && precision == 0) n.digits = 0;
  if (precision > n.digits) n.zeros = precision - n.digits;
  if (show & SHOW_ALTERNATE && base == 16 && nonzero) n.prefix = show & SHOW_UPPER ? 'X' : 'x';
  if (show & SHOW_ALTERNATE && base == 8 && n.zeros == 0 && (nonzero || n.digits == 0)) n.zeros = 1;
  int length = n.digits + n.zeros + (sign != 0) + 2 * (n.prefix != 0);
  n.padding = absolute(width) > length ? absolute(width) - length : 0;
  if (show & SHOW_ZEROS && !is_left(show, width) && precision < 0) {
    n.zeros += n.padding;
    n.padding = 0;
  }
  return n;
}

static char digit_character(unsigned digit, int show) {
  return (char)(digit < 10 ? '0' + digit : (show & SHOW_UPPER ? 'A' : 'a') + (digit - 10));
}

#define PUT_INTEGER(name, type, signed_type, count_digits)                                                             \
  size_t HEDDLE_PLAIN(name)(char *to, size_t room, size_t at, type value, int show, int width, int precision) {        \
    int negative = (show & SHOW_SIGNED) != 0 && (signed_type)value < 0;                                                \
    type rest = negative ? -value : value;                                                                             \
    unsigned base = (unsigned)show >> SHOW_BASE_SHIFT;                                                                 \
    struct number n = arrange(count_digits(rest, base), sign_of(negative, show), rest != 0, show, width, precision);   \
    if (!is_left(show, width)) at = HEDDLE_PLAIN(put_many)(to, room, at, ' ', n.padding);                              \
    if (n.sign) at = HEDDLE_PLAIN(put_character)(to, room, at, n.sign);                                                \
    if (n.prefix) {                                                                                                    \
      at = HEDDLE_PLAIN(put_character)(to, room, at, '0');                                                             \
      at = HEDDLE_PLAIN(put_character)(to, room, at, n.prefix);                                                        \
    }                                                                                                                  \
    at = HEDDLE_PLAIN(put_many)(to, room, at, '0', n.zeros);                                                           \
    for (int i = n.digits; i > 0; i--) {                                                                               \
      HEDDLE_PLAIN(put_character)(to, room, at + (size_t)i - 1, digit_character((unsigned)(rest % base), show));       \
      rest /= base;                                                                                                    \
    }                                                                                                                  \
    at += (size_t)n.digits;                                                                                            \
    return is_left(show, width) ? HEDDLE_PLAIN(put_many)(to, room, at, ' ', n.padding) : at;                           \
  }

static int digits_int(unsigned v, unsigned base) {
  if (base == 16) {
    return 1 + (v >> 4 != 0) + (v >> 8 != 0) + (v >> 12 != 0) + (v >> 16 != 0) + (v >> 20 != 0) + (v >> 24 != 0) +
           (v >> 28 != 0);
  }
  if (base == 8) {
    return 1 + (v >> 3 != 0) + (v >> 6 != 0) + (v >> 9 != 0) + (v >> 12 != 0) + (v >> 15 != 0) + (v >> 18 != 0) +
           (v >> 21 != 0) + (v >> 24 != 0) + (v >> 27 != 0) + (v >> 30 != 0);
  }
  return 1 + (v >= 10) + (v >= 100) + (v >= 1000) + (v >= 10000) + (v >= 100000) + (v >= 1000000) + (v >= 10000000) +
         (v >= 100000000) + (v >= 1000000000);
}

static int digits_longlong(unsigned long long v, unsigned base) {
  int digits = 1;
  if (base != 10) {
    unsigned step = base == 16 ? 4 : 3;
    for (unsigned shift = step; shift < 64; shift += step) digits += v >> shift != 0;
    return digits;
  }
  unsigned long long limit = 10;
  for (int i = 1; i < 20; i++, limit *= 10) digits += v >= limit;
  return digits;
}

PUT_INTEGER(put_int, unsigned, int, digits_int)
PUT_INTEGER(put_longlong, unsigned long long, long long, digits_longlong)

// --- any text ---

// Any characters other than zero. If only the accesses matter, they stay indeterminate until something reads them.
static void HEDDLE_PLAIN(put_any_character)(char *to) {
  if (__heddle_every_access) {
    __heddle_any_bytes(to, 1);
    return;
  }
  char c = __heddle_guess_char();
  *to = (char)__heddle_select_int(c != 0, c, ' ');
}

size_t HEDDLE_PLAIN(put_any)(char *to, size_t room, size_t at, size_t least, size_t most, int show, int width) {
  size_t length = __heddle_guess_size(), wanted = (size_t)absolute(width);
  length = __heddle_select_size((length < least) | (length > most), least, length);
  length = __heddle_select_size(length < wanted, wanted, length);
  for (size_t i = 0; i < length && at + i + 1 < room; i++) HEDDLE_PLAIN(put_any_character)(to + at + i);
  return at + length;
}

// A number below 2^63 has as many digits before the point as the whole number below it, or one more when rounded up.
static size_t digits_before_point(double value) {
  double magnitude = value < 0 ? -value : value;
  return (size_t)digits_longlong((unsigned long long)magnitude, 10);
}

size_t HEDDLE_PLAIN(put_double)(char *to, size_t room, size_t at, double value, int show, int width, int precision) {
  int kind = show >> SHOW_BASE_SHIFT;
  size_t after = precision < 0 ? 6 : (size_t)precision, sign = value < 0 || show & (SHOW_PLUS | SHOW_SPACE) ? 1 : 0;
  if (value != value || value - value != 0) return HEDDLE_PLAIN(put_any)(to, room, at, 3 + sign, 4, show, width);
  size_t point = after > 0 || show & SHOW_ALTERNATE ? 1 : 0, least = sign + 1, most = after + 10;
  if (kind == 'f') {
    int moderate = value < 9e18 && value > -9e18;
    least = sign + (moderate ? digits_before_point(value) : 19) + point + after;
    most = moderate ? least + 1 : 320 + after;
  } else if (kind == 'e') {
    least = sign + 1 + point + after + 4;
    most = least + 1;
  } else if (kind == 'a') {
    most = 30 + after;
  }
  return HEDDLE_PLAIN(put_any)(to, room, at, least, most, show, width);
}
