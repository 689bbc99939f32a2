// What options for clang may not be: those that make it another program than the one that is checked, and those that
// ask clang for something else than to compile.
#ifndef HEDDLE_CLI_CLANG_OPTIONS_H
#define HEDDLE_CLI_CLANG_OPTIONS_H

#include "base/text.h"
#include "base/vector.h"

// Does the word stand for threads or options that are not known? Then `error` gets one line: "compiled with ...".
bool clang_option_is_unknown(const char *word, Text *error);
// The same for a word and the next one, if the first hands the second on to a part of the compiler (-Xclang).
bool clang_option_passes_on(const char *word, const char *next, Text *error);
// Is the next word the value of this option, if it is one that is dropped?
bool clang_option_takes_next(const char *word);
// The options after `--`. False with one line in `error`.
bool clang_options_possible(const StringVector *options, Text *error);

#endif
