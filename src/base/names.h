// Names of the values of an enumeration: a table of strings whose indices are the values.
//
// An option of the command line has such a table in the engine that reads it. The command line has already rejected
// every other word, so the parser only asserts that the name is known.
#ifndef HEDDLE_BASE_NAMES_H
#define HEDDLE_BASE_NAMES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct NameTable {
  const char *const *names;
  size_t count;
} NameTable;

// The initialiser of a table, from an array of names.
#define NAME_TABLE(array) {.names = (array), .count = sizeof(array) / sizeof *(array)}

// The place of a name in the table; `count` if the table does not have it.
static inline size_t name_find(NameTable table, const char *name) {
  assert(name != NULL);
  size_t i = 0;
  while (i < table.count && (!table.names[i] || strcmp(table.names[i], name) != 0)) i++;
  return i;
}

static inline bool name_known(NameTable table, const char *name) { return name_find(table, name) < table.count; }

// The value of a name that the table has.
static inline unsigned name_parse(NameTable table, const char *name) {
  size_t i = name_find(table, name);
  assert(i < table.count);
  return i < table.count ? (unsigned)i : 0;
}

static inline const char *name_of(NameTable table, unsigned value) {
  assert(value < table.count && table.names[value] != NULL);
  return table.names[value];
}

#endif
