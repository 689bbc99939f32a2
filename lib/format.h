// How a conversion of a format is to be written: shared by lib/format*.c and, as numbers, by front/format/format.c.
#ifndef HEDDLE_LIB_FORMAT_H
#define HEDDLE_LIB_FORMAT_H

#include "heddle.h"

#include <stdarg.h>

enum {
  SHOW_LEFT = 1,       // '-'
  SHOW_PLUS = 2,       // '+'
  SHOW_SPACE = 4,      // ' '
  SHOW_ALTERNATE = 8,  // '#'
  SHOW_ZEROS = 16,     // '0'
  SHOW_UPPER = 32,     // X, E, G
  SHOW_SIGNED = 64,    // d, i
  SHOW_BASE_SHIFT = 8, // 8, 10 or 16 above it; for floating point the letter f, e, g or a
};
enum { NO_PRECISION = -1 };

// Text goes to to[at], to[at + 1], ... as long as a zero still fits behind it into `room` bytes. Each function returns
// the length of the text behind what it added, whether that fitted or not.
size_t HEDDLE_PLAIN(put_text)(char *to, size_t room, size_t at, const char *text, size_t length);
size_t HEDDLE_PLAIN(put_character)(char *to, size_t room, size_t at, int c);
size_t HEDDLE_PLAIN(put_padded)(char *to, size_t room, size_t at, int c, int show, int width);
size_t HEDDLE_PLAIN(put_string)(char *to, size_t room, size_t at, const char *string, int show, int width,
                                int precision);
size_t HEDDLE_PLAIN(put_int)(char *to, size_t room, size_t at, unsigned value, int show, int width, int precision);
size_t HEDDLE_PLAIN(put_longlong)(char *to, size_t room, size_t at, unsigned long long value, int show, int width,
                                  int precision);
size_t HEDDLE_PLAIN(put_double)(char *to, size_t room, size_t at, double value, int show, int width, int precision);
size_t HEDDLE_PLAIN(put_any)(char *to, size_t room, size_t at, size_t least, size_t most, int show, int width);
void HEDDLE_PLAIN(put_end)(char *to, size_t room, size_t at);
void HEDDLE_PLAIN(read_printed)(const char *string, int precision); // a %s that goes elsewhere
void HEDDLE_PLAIN(read_wide)(const int *string, int precision);

#endif
