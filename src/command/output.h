// What a command leaves behind: lines on standard output and standard error, and files.
#ifndef HEDDLE_COMMAND_OUTPUT_H
#define HEDDLE_COMMAND_OUTPUT_H

#include "base/log.h"
#include "base/text.h"

// Texts that are printed hold parts from outside, of any bytes. They are made printable here (base/printable.h), where
// they leave, and newlines stay; so a part that is a name must not bring one, and is made one line where it is put in.
// Whatever was forgotten there, no line but that of output_verdict can read like a verdict (`result:`, `witness:`,
// `survey:`).

// An error in the input, for standard error: lines that do not name this program already get its name in front.
void output_error(Log *log, const Text *error);
// Writes to standard output. False, after a line on standard error, if it cannot be written; a reader that went away
// (a broken pipe) is not an error.
bool output_print(Log *log, const Text *text);
// The same for a verdict and what is told before it. The verdict is the last line, and is one line; `verdict` is made
// so.
bool output_verdict(Log *log, const Text *details, Text *verdict);
bool output_bytes(Log *log, const Text *bytes); // the same, as they are: for formats that are not text
bool output_file(Log *log, const Text *text, const char *path);

bool output_is_coloured(void); // is standard output a terminal that takes colours, and are they not forbidden?

#endif
