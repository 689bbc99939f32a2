// A program, a schedule or a witness on standard input: the operand `-`.
//
// Standard input is read once, into a file without a name that becomes the new standard input. So each process of the
// command can open /dev/stdin and read it from its beginning, any number of times. Messages and reports name it
// /dev/stdin. Limit: FILE_MOST_DATA bytes.
#ifndef HEDDLE_CLI_OPTIONS_STANDARD_INPUT_H
#define HEDDLE_CLI_OPTIONS_STANDARD_INPUT_H

#include "base/text.h"
#include "base/vector.h"

#include <stdbool.h>
#include <sys/types.h>

// The file that standard input was before it was kept, so that no output replaces it.
typedef struct StandardInputFile {
  bool known; // it was kept, and was a regular file
  dev_t device;
  ino_t inode;
} StandardInputFile;

// Replaces an operand `-` by FRONT_STANDARD_INPUT, and reads standard input; `file` is then the file that it was.
// Without such an operand nothing is read. False with one line in `error` if there are two such operands, or if
// standard input cannot be read or is too large.
bool standard_input_take(StringVector *operands, StandardInputFile *file, Text *error);

#endif
