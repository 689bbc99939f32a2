// What `check`, `replay`, `show` and `validate` print, and work that they do in a supervised process.
#ifndef HEDDLE_CLI_RUN_SUPERVISED_H
#define HEDDLE_CLI_RUN_SUPERVISED_H

#include "base/log.h"
#include "base/text.h"
#include "cli/options/options.h"
#include "cli/run/child.h"
#include "cli/run/message.h"
#include "command/output.h"
#include "report/trace_text.h"
#include "verdict/verdict.h"

// A trace, for standard output, in the --format that was asked for. As text it is as wide as --width says, else as
// COLUMNS or the terminal does; without a terminal a plain list. NO_COLOR (not empty) and TERM=dumb keep it without
// colour.
void output_trace(const Options *options, const Program *program, const Trace *trace, const Result *result, Text *out);
bool output_is_gcc(const Options *options); // --format gcc

// Runs `work` as the head of a family of children and reads its message, which is of `kind` or an error. Returns false,
// with a reason and its kind and an empty message, unless the work came to its end.
typedef struct Supervision {
  const ChildLimits *limits;
  Interrupt *interrupt;
  Log *log;
  MessageKind kind;
  const char *work; // what crashed, if it does: "the survey"; NULL: the front end
} Supervision;
bool output_supervise(const Supervision *supervision, ChildWork work, void *context, Message *message, Text *reason,
                      ReasonKind *why);

// Says on a terminal that there is a time limit, if it is the default.
void output_tell_limit(const Options *options, Log *log);

// A command that does its work in a supervised process and prints what that found: `print` gets the message, which is
// of `kind`, and says the exit status. Input errors and failures of the process are reported here; a work that does not
// end a little after the time limit is stopped, and a verdict is then UNKNOWN.
int output_of_work(const Options *options, MessageKind kind, ChildWork work,
                   int (*print)(const Options *options, const Message *message, Log *log), Log *log);

#endif
