// Suppressions in comments of the source:
//
//   counter++; // heddle: ignore no-data-race
//   /* heddle: ignore no-data-race, unreach-call -- why */
//   counter++;
//
// A comment on a line with code suppresses that line; a comment alone on its line suppresses the next line. Without a
// name it suppresses all properties. Text after `--` is not read. A name that is no property is ignored, with a
// warning.
//
// The text is scanned, not parsed: comments, strings and character constants are recognised, macros are not expanded.
#ifndef HEDDLE_CLI_RUN_SUPPRESSIONS_H
#define HEDDLE_CLI_RUN_SUPPRESSIONS_H

#include "base/arena.h"
#include "base/text.h"
#include "verdict/suppress.h"

// Adds the suppressions in the text `source` of the file `path`. They point to `path` and to texts in the arena.
// Warnings are appended to `warnings` as lines "PATH:LINE: ...".
void suppressions_read(SuppressionVector *into, const char *path, const char *source, size_t length, Arena *arena,
                       Text *warnings);

// Suppresses places of the program (verdict/suppress.h): those of `given`, and those of comments in the files that its
// steps come from. A file that cannot be read has no suppressions.
void suppressions_apply(Program *program, Property property, const SuppressionVector *given, Text *warnings);

#endif
