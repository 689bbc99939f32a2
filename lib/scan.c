// Formatted input: the scanf family under all the names that glibc's headers give it, and the pieces that the front
// end puts together for a constant format (front/format/scan.c). Apart from stdio.c, because <stdio.h> renames these
// functions.
//
// From a string the result is exact, in the C locale, for integers, characters, words and sets; a floating-point number
// as in reals.c. From a file it is any input: each conversion may be the one at which the input ends or does not match.
// Standard input is a string where it is given.
#include "descriptors.h"
#include "opened_file.h"
#include "standard_input.h"

#include <stdarg.h>
#include <stdint.h>

struct _IO_FILE;
extern struct _IO_FILE *const __heddle_stdin_file; // what stdin points to at the start

static int is_given(const struct _IO_FILE *file) {
  look_at(file);
  __heddle_read_data(file != __heddle_stdin_file);
  return __heddle_stdin_given & (file == __heddle_stdin_file);
}

#define SCANNING(prefix)                                                                                               \
  int prefix##scanf(const char *format, ...) { return __heddle_scan_input(format); }                                   \
  int prefix##fscanf(struct _IO_FILE *file, const char *format, ...) {                                                 \
    return is_given(file) ? __heddle_scan_input(format) : __heddle_scan_any(format);                                   \
  }                                                                                                                    \
  int prefix##sscanf(const char *from, const char *format, ...) { return __heddle_scan(from, format); }                \
  int prefix##vscanf(const char *format, va_list list) { return __heddle_scan_input_list(format, list); }              \
  int prefix##vfscanf(struct _IO_FILE *file, const char *format, va_list list) {                                       \
    return is_given(file) ? __heddle_scan_input_list(format, list) : __heddle_scan_any_list(format, list);             \
  }                                                                                                                    \
  int prefix##vsscanf(const char *from, const char *format, va_list list) {                                            \
    return __heddle_scan_list(from, format, list);                                                                     \
  }

SCANNING()
SCANNING(__isoc99_)
SCANNING(__isoc23_)

// --- pieces of a string ---

// Each takes the place that was reached and returns the one behind what it read, or NULL if that does not match.

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'z') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'Z') return (unsigned)(c - 'A') + 10;
  return 36;
}

const char *HEDDLE_PLAIN(scan_space)(const char *at) {
  while (is_space(*at)) at++;
  return at;
}

const char *HEDDLE_PLAIN(scan_literal)(const char *at, char wanted) { return *at == wanted ? at + 1 : NULL; }

// What scanf returns when it stops at a conversion with so many assigned.
int HEDDLE_PLAIN(scan_stop)(const char *at, int assigned) { return assigned > 0 || *at != 0 ? assigned : -1; }

struct scanned_integer {
  const char *end;
  unsigned long long value;
};

static struct scanned_integer HEDDLE_PLAIN(read_integer)(const char *at, size_t width, unsigned base) {
  struct scanned_integer result = {NULL, 0};
  const char *limit = width == SIZE_MAX ? (const char *)UINTPTR_MAX : at + width;
  int negative = 0;
  if (at < limit && (*at == '-' || *at == '+')) negative = *at++ == '-';
  if ((base == 0 || base == 16) && at < limit && *at == '0') {
    result.end = at + 1;
    if (at + 1 < limit && (at[1] == 'x' || at[1] == 'X')) {
      base = 16;
      at += 2;
      result.end = NULL;
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  for (; at < limit; at++) {
    unsigned digit = digit_value(*at);
    if (digit >= base) break;
    result.value = result.value * base + digit;
    result.end = at + 1;
  }
  if (negative) result.value = -result.value;
  return result;
}

// A number is read twice, for its end and for its value, because only one of the data models returns two values in
// registers.
const char *HEDDLE_PLAIN(scan_integer)(const char *at, size_t width, unsigned base) {
  return HEDDLE_PLAIN(read_integer)(at, width, base).end;
}

unsigned long long HEDDLE_PLAIN(scan_integer_value)(const char *at, size_t width, unsigned base) {
  return HEDDLE_PLAIN(read_integer)(at, width, base).value;
}

double strtod(const char *text, char **end);

const char *HEDDLE_PLAIN(scan_real)(const char *at) {
  char *end;
  strtod(at, &end);
  return end == at ? NULL : end;
}

double HEDDLE_PLAIN(scan_real_value)(const char *at) { return strtod(at, NULL); }

// `to` NULL: what is read is not stored.
const char *HEDDLE_PLAIN(scan_word)(const char *at, char *to, size_t width) {
  size_t length = 0;
  for (; length < width; length++) {
    char c = at[length];
    if (c == 0 || is_space(c)) break;
    if (to) to[length] = c;
  }
  if (length == 0) return NULL;
  if (to) to[length] = 0;
  return at + length;
}

// Fewer characters than asked for match, as in glibc; none do not.
const char *HEDDLE_PLAIN(scan_characters)(const char *at, char *to, size_t width) {
  for (size_t i = 0; i < width; i++) {
    char c = at[i];
    if (c == 0) return i > 0 ? at + i : NULL;
    if (to) to[i] = c;
  }
  return at + width;
}

// A set is the text between the brackets: "^a-z]" has its sign, and a range.
static int HEDDLE_PLAIN(is_member)(char c, const char *set, size_t length) {
  int inverted = length > 0 && set[0] == '^', found = 0;
  for (size_t i = (size_t)inverted; i < length; i++) {
    int range = i + 2 < length && set[i + 1] == '-';
    unsigned char low = (unsigned char)set[i], high = range ? (unsigned char)set[i + 2] : low;
    found |= (unsigned char)c >= low && (unsigned char)c <= high;
    if (range) i += 2;
  }
  return found != inverted;
}

const char *HEDDLE_PLAIN(scan_set)(const char *at, char *to, size_t width, const char *set, size_t set_length) {
  size_t length = 0;
  for (; length < width; length++) {
    char c = at[length];
    if (c == 0 || !HEDDLE_PLAIN(is_member)(c, set, set_length)) break;
    if (to) to[length] = c;
  }
  if (length == 0) return NULL;
  if (to) to[length] = 0;
  return at + length;
}

// --- any input ---

// A word of any length; where it has a limit, what lies behind it is any value, too.
void HEDDLE_PLAIN(scan_any_word)(char *to, size_t width) {
  if (width != SIZE_MAX) {
    __heddle_any_bytes(to, width);
    to[width] = 0;
    return;
  }
  size_t length = 0;
  do __heddle_any_bytes(to + length++, 1);
  while (__heddle_fresh_bool());
  to[length] = 0;
}
