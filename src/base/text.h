// Growable text, always terminated by a zero byte once anything was added.
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include "base/memory.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct Text {
  char *data; // never NULL after text_init: an empty text reads as ""
  size_t length, capacity;
  Account *account;
} Text;

void text_init(Text *text, Account *account);
void text_free(Text *text);
void text_clear(Text *text);
void text_add(Text *text, const char *string);
void text_add_bytes(Text *text, const char *bytes, size_t count);
void text_add_char(Text *text, char c);
void text_add_flat(Text *text, const char *string); // in one line: with a blank for each character of space
void text_format(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vformat(Text *text, const char *format, va_list arguments);
void text_pad(Text *text, size_t column); // spaces up to `column` of the current line

// Writes `text` to `path` by way of a temporary file beside it and a rename, so that no partial file is ever seen.
// Returns 0, or -1 with errno set and nothing left behind.
int text_write_file(const Text *text, const char *path);

// Of any string.
static inline bool starts_with(const char *string, const char *start) {
  return strncmp(string, start, strlen(start)) == 0;
}
static inline bool ends_with(const char *string, const char *end) {
  size_t length = strlen(string), tail = strlen(end);
  return length >= tail && memcmp(string + length - tail, end, tail) == 0;
}

#endif
