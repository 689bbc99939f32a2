// Options of compilers that may be given without `--`, and the check that the program is in C.
//
// Only names of files and options are looked at; clang reports files that are not C in spite of their names.
#ifndef HEDDLE_CLI_OPTIONS_LANGUAGE_H
#define HEDDLE_CLI_OPTIONS_LANGUAGE_H

#include "base/text.h"
#include "base/vector.h"

#include <stdbool.h>

// Is argv[*index] an option for clang that needs no `--` before it (one that compile_commands.h keeps, or -x)? If so,
// it is added to `options` with its value, which may be the next word; *index is then the last word read. If the value
// is missing, nothing is added and `error` gets one line. `-m32` and `-m64` are no such options: they choose the data
// model.
bool language_take_option(StringVector *options, int argc, char **argv, int *index, Text *error);

// False, with one line in `error`, if a file's name or an option for clang says that the program is not C.
bool language_is_c(const StringVector *files, const StringVector *options, Text *error);

#endif
