// Formats that are known only when the program runs: a walk over their characters. The front end walks over constant
// ones itself (front/format/format.c), and makes the same calls.
#include "format.h"

#include <stddef.h>
#include <stdint.h>

typedef unsigned long long wide;

// A conversion, read up to its letter.
struct conversion {
  int show, width, precision;
  int size; // how many of 'l' (2: long long, intmax_t, and so on), minus how many of 'h'
  char kind;
};

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int flag_of(char c) {
  return c == '-'   ? SHOW_LEFT
         : c == '+' ? SHOW_PLUS
         : c == ' ' ? SHOW_SPACE
         : c == '#' ? SHOW_ALTERNATE
         : c == '0' ? SHOW_ZEROS
                    : 0;
}

// What the letter of the conversion stands for: sign, base, capitals.
static int show_of(char kind) {
  switch (kind) {
  case 'd':
  case 'i': return SHOW_SIGNED | 10 << SHOW_BASE_SHIFT;
  case 'u': return 10 << SHOW_BASE_SHIFT;
  case 'o': return 8 << SHOW_BASE_SHIFT;
  case 'x': return 16 << SHOW_BASE_SHIFT;
  case 'X': return 16 << SHOW_BASE_SHIFT | SHOW_UPPER;
  case 'f':
  case 'e':
  case 'g':
  case 'a': return kind << SHOW_BASE_SHIFT;
  case 'F':
  case 'E':
  case 'G':
  case 'A': return (kind - 'A' + 'a') << SHOW_BASE_SHIFT | SHOW_UPPER;
  default: return 0;
  }
}

static int size_of(const char **at) {
  int size = 0;
  for (;; (*at)++) {
    char c = **at;
    if (c == 'h')
      size--;
    else if (c == 'l')
      size++;
    else if (c == 'j' || c == 'q')
      size = 2;
    else if (c == 'z' || c == 't' || c == 'Z')
      size = 1;
    else
      return size;
  }
}

static int HEDDLE_PLAIN(number)(const char **at) {
  int number = 0;
  while (is_digit(**at)) number = number * 10 + (*(*at)++ - '0');
  return number;
}

static wide integer_argument(va_list *list, int size, int is_signed) {
  if (size >= 2) return va_arg(*list, wide);
  if (size == 1) return is_signed ? (wide)va_arg(*list, long) : va_arg(*list, unsigned long);
  int value = va_arg(*list, int);
  if (size == -1) value = is_signed ? (short)value : (unsigned short)value;
  if (size < -1) value = is_signed ? (signed char)value : (unsigned char)value;
  return is_signed ? (wide)value : (unsigned)value;
}

static void HEDDLE_PLAIN(store_count)(void *to, int size, size_t count) {
  if (size >= 2)
    *(long long *)to = (long long)count;
  else if (size == 1)
    *(long *)to = (long)count;
  else if (size == 0)
    *(int *)to = (int)count;
  else if (size == -1)
    *(short *)to = (short)count;
  else
    *(signed char *)to = (signed char)count;
}

// One conversion; `print`: the text leaves the program, and strings are only read.
static size_t HEDDLE_PLAIN(convert)(char *to, size_t room, size_t at, struct conversion c, va_list *list, int print) {
  switch (c.kind) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X': {
    wide value = integer_argument(list, c.size, (c.show & SHOW_SIGNED) != 0);
    return HEDDLE_PLAIN(put_longlong)(to, room, at, value, c.show, c.width, c.precision);
  }
  case 'c': return HEDDLE_PLAIN(put_padded)(to, room, at, va_arg(*list, int), c.show, c.width);
  case 's': {
    const char *string = va_arg(*list, const char *);
    if (c.size > 0) __heddle_unmodelled("a wide string in a format that is not constant");
    return HEDDLE_PLAIN(put_string)(to, room, at, string, c.show, c.width, c.precision);
  }
  case 'p': va_arg(*list, void *); return HEDDLE_PLAIN(put_any)(to, room, at, 3, 18, c.show, c.width);
  case 'm': return HEDDLE_PLAIN(put_any)(to, room, at, 1, 64, c.show, c.width);
  case 'n': HEDDLE_PLAIN(store_count)(va_arg(*list, void *), c.size, at); return at;
  case 'f':
  case 'F':
  case 'e':
  case 'E':
  case 'g':
  case 'G':
  case 'a':
  case 'A': return HEDDLE_PLAIN(put_double)(to, room, at, va_arg(*list, double), c.show, c.width, c.precision);
  case '%': return HEDDLE_PLAIN(put_character)(to, room, at, '%');
  default: __heddle_unmodelled("a format that is not constant, with a conversion that is not modelled");
  }
}

size_t HEDDLE_PLAIN(format_walk)(char *to, size_t room, const char *format, va_list given, int print) {
  va_list list;
  va_copy(list, given);
  size_t at = 0;
  for (char letter; (letter = *format) != 0; format++) {
    if (letter != '%') {
      at = HEDDLE_PLAIN(put_character)(to, room, at, letter);
      continue;
    }
    struct conversion c = {.precision = NO_PRECISION};
    format++;
    while (flag_of(*format)) c.show |= flag_of(*format++);
    if (*format == '*') {
      c.width = va_arg(list, int);
      format++;
    } else {
      c.width = HEDDLE_PLAIN(number)(&format);
    }
    if (*format == '.') {
      format++;
      if (*format == '*') {
        c.precision = va_arg(list, int);
        format++;
      } else {
        c.precision = HEDDLE_PLAIN(number)(&format);
      }
    }
    c.size = size_of(&format);
    c.kind = *format;
    c.show |= show_of(c.kind);
    at = HEDDLE_PLAIN(convert)(to, room, at, c, &list, print);
  }
  va_end(list);
  return at;
}
