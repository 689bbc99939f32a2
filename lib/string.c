// Strings: exact loops over ordinary accesses, in the C locale. strdup and strndup are in heap.c.
//
// Assumed: strerror's text does not matter.
#include "heddle.h"

#include <stdint.h>

typedef unsigned char byte;

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

static size_t HEDDLE_PLAIN(length)(const char *string, size_t most) {
  size_t length = 0;
  while (length < most && string[length] != 0) length++;
  return length;
}

// Copies at most `most` characters, and always a zero after them. Returns where the zero is.
static char *HEDDLE_PLAIN(copy)(char *to, const char *from, size_t most) {
  size_t i = 0;
  for (; i < most; i++) {
    char c = from[i];
    if (c == 0) break;
    to[i] = c;
  }
  to[i] = 0;
  return to + i;
}

// strncpy: fills up with zeros, and writes none if there is no room. Returns the first zero, or the end.
static char *HEDDLE_PLAIN(copy_padded)(char *to, const char *from, size_t bytes) {
  size_t i = 0;
  for (; i < bytes; i++) {
    char c = from[i];
    if (c == 0) break;
    to[i] = c;
  }
  char *end = to + i;
  for (; i < bytes; i++) to[i] = 0;
  return end;
}

static int HEDDLE_PLAIN(compare)(const byte *one, const byte *other, size_t most) {
  for (size_t i = 0; i < most; i++) {
    byte a = one[i], b = other[i];
    if (a != b) return a - b;
    if (a == 0) return 0;
  }
  return 0;
}

static int HEDDLE_PLAIN(compare_caseless)(const byte *one, const byte *other, size_t most) {
  for (size_t i = 0; i < most; i++) {
    int a = lower(one[i]), b = lower(other[i]);
    if (a != b) return a - b;
    if (a == 0) return 0;
  }
  return 0;
}

// The first `wanted`, or the final zero.
static char *HEDDLE_PLAIN(find)(const char *string, char wanted) {
  for (;; string++) {
    char c = *string;
    if (c == wanted || c == 0) return (char *)string;
  }
}

static char *HEDDLE_PLAIN(find_last)(const char *string, char wanted) {
  const char *found = NULL;
  for (;; string++) {
    char c = *string;
    if (c == wanted) found = string;
    if (c == 0) return (char *)found;
  }
}

static char *HEDDLE_PLAIN(find_string)(const char *string, const char *wanted) {
  for (;; string++) {
    size_t i = 0;
    while (wanted[i] != 0 && string[i] == wanted[i]) i++;
    if (wanted[i] == 0) return (char *)string;
    if (string[i] == 0) return NULL;
  }
}

// How many characters from the start are in `set` (member 1), or are not (member 0).
static size_t HEDDLE_PLAIN(span)(const char *string, const char *set, int member) {
  size_t length = 0;
  for (;; length++) {
    char c = string[length];
    if (c == 0) return length;
    const char *s = set;
    while (*s != 0 && *s != c) s++;
    if ((*s != 0) != member) return length;
  }
}

static char *HEDDLE_PLAIN(token)(char *string, const char *separators, char **rest) {
  if (!string) string = *rest;
  if (!string) return NULL;
  string += HEDDLE_PLAIN(span)(string, separators, 1);
  if (*string == 0) {
    *rest = NULL;
    return NULL;
  }
  char *end = string + HEDDLE_PLAIN(span)(string, separators, 0);
  if (*end != 0)
    *end++ = 0;
  else
    end = NULL;
  *rest = end;
  return string;
}

size_t strlen(const char *string) { return HEDDLE_PLAIN(length)(string, SIZE_MAX); }
size_t strnlen(const char *string, size_t most) { return HEDDLE_PLAIN(length)(string, most); }

char *strcpy(char *to, const char *from) {
  HEDDLE_PLAIN(copy)(to, from, SIZE_MAX);
  return to;
}

char *stpcpy(char *to, const char *from) { return HEDDLE_PLAIN(copy)(to, from, SIZE_MAX); }

char *strncpy(char *to, const char *from, size_t bytes) {
  HEDDLE_PLAIN(copy_padded)(to, from, bytes);
  return to;
}

char *stpncpy(char *to, const char *from, size_t bytes) { return HEDDLE_PLAIN(copy_padded)(to, from, bytes); }

char *__strcpy_chk(char *to, const char *from, size_t size) { return strcpy(to, from); }
char *__stpcpy_chk(char *to, const char *from, size_t size) { return stpcpy(to, from); }
char *__strncpy_chk(char *to, const char *from, size_t bytes, size_t size) { return strncpy(to, from, bytes); }

char *strcat(char *to, const char *from) {
  HEDDLE_PLAIN(copy)(to + strlen(to), from, SIZE_MAX);
  return to;
}

char *strncat(char *to, const char *from, size_t most) {
  HEDDLE_PLAIN(copy)(to + strlen(to), from, most);
  return to;
}

char *__strcat_chk(char *to, const char *from, size_t size) { return strcat(to, from); }
char *__strncat_chk(char *to, const char *from, size_t most, size_t size) { return strncat(to, from, most); }

int strcmp(const char *one, const char *other) {
  return HEDDLE_PLAIN(compare)((const byte *)one, (const byte *)other, SIZE_MAX);
}

int strcoll(const char *one, const char *other) { return strcmp(one, other); }

int strncmp(const char *one, const char *other, size_t most) {
  return HEDDLE_PLAIN(compare)((const byte *)one, (const byte *)other, most);
}

int strcasecmp(const char *one, const char *other) {
  return HEDDLE_PLAIN(compare_caseless)((const byte *)one, (const byte *)other, SIZE_MAX);
}

int strncasecmp(const char *one, const char *other, size_t most) {
  return HEDDLE_PLAIN(compare_caseless)((const byte *)one, (const byte *)other, most);
}

char *strchrnul(const char *string, int wanted) { return HEDDLE_PLAIN(find)(string, (char)wanted); }

static char HEDDLE_PLAIN(character)(const char *at) { return *at; }

char *strchr(const char *string, int wanted) {
  char *found = HEDDLE_PLAIN(find)(string, (char)wanted);
  return HEDDLE_PLAIN(character)(found) == (char)wanted ? found : NULL;
}

char *index(const char *string, int wanted) { return strchr(string, wanted); }
char *strrchr(const char *string, int wanted) { return HEDDLE_PLAIN(find_last)(string, (char)wanted); }
char *rindex(const char *string, int wanted) { return strrchr(string, wanted); }
char *strstr(const char *string, const char *wanted) { return HEDDLE_PLAIN(find_string)(string, wanted); }
size_t strspn(const char *string, const char *set) { return HEDDLE_PLAIN(span)(string, set, 1); }
size_t strcspn(const char *string, const char *set) { return HEDDLE_PLAIN(span)(string, set, 0); }

char *strpbrk(const char *string, const char *set) {
  const char *found = string + HEDDLE_PLAIN(span)(string, set, 0);
  return HEDDLE_PLAIN(character)(found) != 0 ? (char *)found : NULL;
}

char *strtok_r(char *string, const char *separators, char **rest) {
  return HEDDLE_PLAIN(token)(string, separators, rest);
}

char *__strtok_r(char *string, const char *separators, char **rest) {
  return HEDDLE_PLAIN(token)(string, separators, rest);
}

// One position for all threads, reached by ordinary accesses: strtok is not safe for threads.
static char *token_rest = NULL;
char *strtok(char *string, const char *separators) { return HEDDLE_PLAIN(token)(string, separators, &token_rest); }

static char error_text[] = "error";
char *strerror(int code) { return error_text; }
