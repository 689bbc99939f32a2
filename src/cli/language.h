// Options that compilers know, given without `--`, and the language that files are in: C, and nothing else.
#ifndef HEDDLE_CLI_LANGUAGE_H
#define HEDDLE_CLI_LANGUAGE_H

#include "base/text.h"
#include "base/vector.h"

#include <stdbool.h>

// Is argv[*index] an option for clang that needs no `--` before it (those that compile_commands.h keeps, and -x c)?
// If so it is added to `options` with its value, which may be the next word; *index is then the last word read.
// If its value is missing it is not, and `error` gets one line.
// `-m32` and `-m64` are not among them: they are data models.
bool language_take_option(StringVector *options, int argc, char **argv, int *index, Text *error);

// False, with one line in `error`, if a file's name or an option for clang says that the program is not C.
bool language_is_c(const StringVector *files, const StringVector *options, Text *error);

#endif
