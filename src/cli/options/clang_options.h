// Options for clang that are refused: those that change the program into one that Heddle does not model, and those for
// which clang does not compile the files.
//
// The tables are of the options of clang 19. An option that is in no table is passed to clang.
#ifndef HEDDLE_CLI_OPTIONS_CLANG_OPTIONS_H
#define HEDDLE_CLI_OPTIONS_CLANG_OPTIONS_H

#include "base/text.h"
#include "base/vector.h"

// Does the word ask for threads of a kind that Heddle does not model (OpenMP, OpenACC), or for a response file? Then
// `error` gets one line: "compiled with ...".
bool clang_option_is_unknown(const char *word, Text *error);
// The same for a word and the next one, if the first passes the second on to a part of the compiler (-Xclang).
bool clang_option_passes_on(const char *word, const char *next, Text *error);
// Of an option that compile_commands.h drops: is the next word its value?
bool clang_option_takes_next(const char *word);
// Can the options after `--` be passed to clang? False with one line in `error`, which must be empty before.
bool clang_options_possible(const StringVector *options, Text *error);

#endif
