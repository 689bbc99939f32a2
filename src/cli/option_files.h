// The files that a command line of `check`, `replay`, `show` or `validate` names.
#ifndef HEDDLE_CLI_OPTION_FILES_H
#define HEDDLE_CLI_OPTION_FILES_H

#include "base/log.h"
#include "cli/options.h"

// False, after one line on standard error, if an output cannot be written, or is an input or another output
// (command/file_roles.h).
bool option_files_possible(const Options *options, Log *log);

#endif
