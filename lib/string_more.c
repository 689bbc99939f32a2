// Strings and blocks beyond <string.h> of C: exact loops over ordinary accesses, in the C locale.
#include "errors.h"
#include "heddle.h"
#include "text.h"

#include <stdint.h>

typedef unsigned char byte;

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

static size_t HEDDLE_PLAIN(length)(const char *string) {
  size_t length = 0;
  while (string[length] != 0) length++;
  return length;
}

static char *HEDDLE_PLAIN(separate)(char **rest, const char *separators) {
  char *start = *rest;
  if (!start) return NULL;
  for (char *at = start;; at++) {
    char c = *at;
    const char *s = separators;
    while (c != 0 && *s != 0 && *s != c) s++;
    if (c == 0) {
      *rest = NULL;
      return start;
    }
    if (*s == 0) continue;
    *at = 0;
    *rest = at + 1;
    return start;
  }
}

char *strsep(char **rest, const char *separators) { return HEDDLE_PLAIN(separate)(rest, separators); }
char *__strsep_g(char **rest, const char *separators) { return HEDDLE_PLAIN(separate)(rest, separators); }

static char *HEDDLE_PLAIN(find_caseless)(const char *string, const char *wanted) {
  for (;; string++) {
    size_t i = 0;
    while (wanted[i] != 0 && lower((byte)string[i]) == lower((byte)wanted[i])) i++;
    if (wanted[i] == 0) return (char *)string;
    if (string[i] == 0) return NULL;
  }
}

char *strcasestr(const char *string, const char *wanted) { return HEDDLE_PLAIN(find_caseless)(string, wanted); }

static size_t HEDDLE_PLAIN(copy_cut)(char *to, const char *from, size_t room) {
  size_t i = 0;
  for (; from[i] != 0; i++)
    if (i + 1 < room) to[i] = from[i];
  if (room > 0) to[i < room ? i : room - 1] = 0;
  return i;
}

size_t strlcpy(char *to, const char *from, size_t room) { return HEDDLE_PLAIN(copy_cut)(to, from, room); }

static size_t HEDDLE_PLAIN(bounded_length)(const char *string, size_t most) {
  size_t length = 0;
  while (length < most && string[length] != 0) length++;
  return length;
}

size_t strlcat(char *to, const char *from, size_t room) {
  size_t before = HEDDLE_PLAIN(bounded_length)(to, room);
  return before + HEDDLE_PLAIN(copy_cut)(to + before, from, room - before);
}

static void *HEDDLE_PLAIN(find_block)(const byte *from, size_t bytes, const byte *wanted, size_t length) {
  for (size_t start = 0; length <= bytes && start <= bytes - length; start++) {
    size_t i = 0;
    while (i < length && from[start + i] == wanted[i]) i++;
    if (i == length) return (void *)(from + start);
  }
  return NULL;
}

void *memmem(const void *from, size_t bytes, const void *wanted, size_t length) {
  return HEDDLE_PLAIN(find_block)(from, bytes, wanted, length);
}

static void *HEDDLE_PLAIN(find_byte)(const byte *from, byte value) {
  while (*from != value) from++;
  return (void *)from;
}

void *rawmemchr(const void *from, int value) { return HEDDLE_PLAIN(find_byte)(from, (byte)value); }

static void *HEDDLE_PLAIN(copy_to_byte)(byte *to, const byte *from, byte end, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    byte b = from[i];
    to[i] = b;
    if (b == end) return to + i + 1;
  }
  return NULL;
}

void *memccpy(void *to, const void *from, int end, size_t bytes) {
  return HEDDLE_PLAIN(copy_to_byte)(to, from, (byte)end, bytes);
}

size_t strxfrm(char *to, const char *from, size_t room) { return HEDDLE_PLAIN(copy_cut)(to, from, room); }

// --- texts of errors and signals ---

char *strerror_r(int code, char *to, size_t room) { return any_text(to, room); } // GNU's

int __xpg_strerror_r(int code, char *to, size_t room) {
  if (room == 0) return ERANGE;
  any_text(to, room);
  return 0;
}

// --- parts of paths ---

static char *HEDDLE_PLAIN(last_part)(char *path) {
  if (!path || *path == 0) return ".";
  size_t end = HEDDLE_PLAIN(length)(path);
  while (end > 1 && path[end - 1] == '/') path[--end] = 0;
  size_t start = end;
  while (start > 0 && path[start - 1] != '/') start--;
  return start == end ? path : path + start; // "/" alone
}

static char *HEDDLE_PLAIN(first_parts)(char *path) {
  if (!path || *path == 0) return ".";
  size_t end = HEDDLE_PLAIN(length)(path);
  while (end > 1 && path[end - 1] == '/') end--;
  while (end > 0 && path[end - 1] != '/') end--;
  if (end == 0) return ".";
  while (end > 1 && path[end - 1] == '/') end--;
  path[end] = 0;
  return path;
}

char *__xpg_basename(char *path) { return HEDDLE_PLAIN(last_part)(path); }
char *dirname(char *path) { return HEDDLE_PLAIN(first_parts)(path); }

// GNU's: the path is not changed.
static char *HEDDLE_PLAIN(behind_slash)(const char *path) {
  const char *part = path;
  for (; *path != 0; path++)
    if (*path == '/') part = path + 1;
  return (char *)part;
}

char *basename(const char *path) { return HEDDLE_PLAIN(behind_slash)(path); }
