// What a command leaves behind: lines on standard output and standard error, and files.
#ifndef HEDDLE_CLI_OUTPUT_H
#define HEDDLE_CLI_OUTPUT_H

#include "base/log.h"
#include "base/text.h"
#include "cli/child.h"
#include "cli/finding.h"
#include "cli/options.h"
#include "report/trace_text.h"
#include "verdict/verdict.h"

// Texts that are printed hold parts from outside, of any bytes. They are made printable here (base/printable.h), where
// they leave, and newlines stay; so a part that is a name must not bring one, and is made one line where it is put in.
// Whatever was forgotten there, no line but that of output_verdict can read like a verdict (`result:`, `witness:`).

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

// A trace, for standard output, in the --format that was asked for. As text it is as wide as --width says, else as
// COLUMNS or the terminal does; without a terminal a plain list. NO_COLOR (not empty) and TERM=dumb keep it without
// colour.
void output_trace(const Options *options, const Program *program, const Trace *trace, const Result *result, Text *out);
bool output_is_gcc(const Options *options); // --format gcc

// Runs `work` as the head of a family of children and reads what it found. Returns false, with a reason and its kind,
// unless the work came to its end.
bool output_supervise(const ChildLimits *limits, ChildWork work, void *context, Interrupt *interrupt, Log *log,
                      Finding *finding, Text *reason, ReasonKind *why);

// Says on a terminal that there is a time limit, if it is the one that nobody gave.
void output_tell_limit(const Options *options, Log *log);

// A command that does its work in a supervised process and prints what that found: `print` gets the finding and says
// the exit status. Input errors and failures of the process are reported here; a work
// that does not end a little after the time limit is stopped, and a verdict is then UNKNOWN.
int output_of_work(const Options *options, ChildWork work,
                   int (*print)(const Options *options, const Finding *finding, Log *log), Log *log);

#endif
