// The text of a formula as the user gives it: lines, comments, and constants of C. Operators inside constants do not
// count.
//
// A comment is a blank: `/* ... */`, and `//` up to the end of the line. A constant begins and ends with ' or "; a
// backslash takes the next character with it. Outside of constants, a backslash at the end of a line joins it with the
// next one.
#ifndef HEDDLE_LTL_SOURCE_H
#define HEDDLE_LTL_SOURCE_H

#include "base/text.h"

#include <stdbool.h>

typedef struct SourceFault {
  size_t at; // where it stands in the text, from 0
  const char *what;
} SourceFault;

// The length of the constant that begins here, with its quotes; 0 if it is not closed.
size_t source_constant(const char *text);
// Appends the text with blanks for comments: what is left stands where it stood, and lines end where they did. False,
// with the fault, if a comment or a constant is not closed.
bool source_without_comments(const char *text, Text *out, SourceFault *fault);
// Appends text without comments on one line: blanks become one, and none at the ends. Constants stay as they are.
void source_on_one_line(const char *text, size_t length, Text *out);
// Appends "column 7", or "line 2, column 7" if the text has more lines than one.
void source_position(const char *text, size_t at, Text *out);

#endif
