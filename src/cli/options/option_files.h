// The files that a command line of `check`, `replay`, `show` or `validate` names.
#ifndef HEDDLE_CLI_OPTIONS_OPTION_FILES_H
#define HEDDLE_CLI_OPTIONS_OPTION_FILES_H

#include "base/log.h"
#include "cli/options/options.h"
#include "front/front.h"

// False, after one line on standard error, if an output cannot be written, or is an input or another output
// (command/file_roles.h).
bool option_files_possible(const Options *options, Log *log);

// May the text be written to a further file of an option, whose name no option gives? False, after one line on standard
// error, if the file has a role already, cannot be written, or exists and does not begin like the text: only a file
// of an earlier run is replaced.
bool option_files_further(const Options *options, const char *option, const char *path, const Text *text, Log *log);

// False, with one line in `error`, if clang reads a file that an output of the command line would replace when it
// compiles the file of that index. Clang is not asked if the outputs are new.
bool option_files_keep_headers(const Options *options, const FrontOptions *front, size_t index, Text *error);

#endif
