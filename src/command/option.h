// Options on a command line, by a table: a row says what an option is called, what it wants and where its value goes.
// The parser, `--help`, the man page and completion all read the table.
//
// An option is written `--name value` or `--name=value`; `-o` is short for `--output`, `-p` for `--project`, `-h` for
// `--help`. What follows an OPTION_NUMBER is its value if it begins with a digit.
//
// A command declares its options as an X-macro, in which each names one of the types below, and derives from
// it the struct of the values and the rows. Texts among the values point into argv.
#ifndef HEDDLE_COMMAND_OPTION_H
#define HEDDLE_COMMAND_OPTION_H

#include "base/text.h"
#include "base/vector.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum OptionType {
  OPTION_FLAG,     // long: 1 if given
  OPTION_INT,      // long, not negative
  OPTION_NUMBER,   // long, from 1 on, which may be left out: OPTION_ANY_NUMBER
  OPTION_STRING,   // a text that is not empty
  OPTION_WORDS,    // a text that may be empty
  OPTION_CHOICE,   // one of the argument's alternatives, `a|b|c`
  OPTION_DURATION, // seconds; 0 for none, if the argument ends in `|none`
  OPTION_SIZE,     // bytes
  OPTION_LIST      // texts: each time that the option is given adds one
} OptionType;
enum { OPTION_ANY_NUMBER = -1 };

// The C types of the values. The room verdict defines the first three alike, for the options of engines.
#define OPTION_TYPE_FLAG long
#define OPTION_TYPE_INT long
#define OPTION_TYPE_NUMBER long
#define OPTION_TYPE_STRING const char *
#define OPTION_TYPE_WORDS const char *
#define OPTION_TYPE_CHOICE const char *
#define OPTION_TYPE_DURATION double
#define OPTION_TYPE_SIZE size_t
#define OPTION_TYPE_LIST StringVector

typedef struct OptionRow {
  const char *name, *argument, *help;
  OptionType type;
  unsigned commands;    // bits of the commands that have it
  bool engine;          // an option of engines
  size_t offset;        // in what an OptionReader has as its values
  const char *fallback; // default in words, or NULL
} OptionRow;

typedef struct OptionReader {
  const OptionRow *rows;
  size_t count;      // at most 64
  unsigned commands; // bits of OptionRow.commands: other rows are unknown
  void *values;      // the struct that the rows' offsets are of
  uint64_t given;    // bit i: rows[i] was read
  bool help;         // --help was read
} OptionReader;

// Reads argv[*index], which begins with `-`, and its value, if it is the next argument; *index is the last one read.
// Returns false with one line in `error`.
bool option_read(OptionReader *reader, int argc, char **argv, int *index, Text *error);

// The row of that name; NULL, with one line in `error`, if the reader's commands have none.
const OptionRow *option_find(const OptionReader *reader, const char *name, Text *error);
// Sets the value of a row of the reader from a text. Returns false with one line in `error`. `given` stays.
bool option_set(const OptionReader *reader, const OptionRow *row, const char *value, Text *error);

#endif
