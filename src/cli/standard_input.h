// A program, a schedule or a witness on standard input: the operand `-`.
//
// Standard input is read once and put into a file without a name that takes its place, so that every process of the
// family can open /dev/stdin and read it from its beginning, as often as it wants. Names in messages and reports are
// /dev/stdin.
#ifndef HEDDLE_CLI_STANDARD_INPUT_H
#define HEDDLE_CLI_STANDARD_INPUT_H

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

// Replaces an operand `-` by FRONT_STANDARD_INPUT, and keeps what can be read. Without such an operand nothing is read.
// False with one line in `error` if there are two of them, or if it cannot be read or is too large.
bool standard_input_take(StringVector *operands, StandardInputFile *file, Text *error);

#endif
