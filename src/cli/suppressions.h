// Suppressions in comments of the source:
//
//   counter++; // heddle: ignore no-data-race
//   /* heddle: ignore no-data-race, unreach-call -- why */
//   counter++;
//
// A comment beside code is about its own line; one that stands alone on its line is about the next line. Without a name
// it is about all properties; text after `--` is for people. A name that is no property is ignored, with a warning.
#ifndef HEDDLE_CLI_SUPPRESSIONS_H
#define HEDDLE_CLI_SUPPRESSIONS_H

#include "base/arena.h"
#include "base/text.h"
#include "verdict/suppress.h"

// Adds those of the source text `source` of the file `path`; texts live in the arena, `path` with the caller. Warnings
// are lines "PATH:LINE: ..." in `warnings`.
void suppressions_read(SuppressionVector *into, const char *path, const char *source, size_t length, Arena *arena,
                       Text *warnings);

// Takes places out of the program: those of `given`, and those of comments in the files that its steps are from.
// A file that cannot be read has none.
void suppressions_apply(Program *program, Property property, const SuppressionVector *given, Text *warnings);

#endif
