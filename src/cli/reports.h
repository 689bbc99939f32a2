// The files that `check` writes about its result: made where the program and the trace are, written by the head.
#ifndef HEDDLE_CLI_REPORTS_H
#define HEDDLE_CLI_REPORTS_H

#include "cli/message.h"
#include "cli/options.h"
#include "report/report.h"

// Fills those texts of the message that the options ask for. Program and trace as in Report; the budget is for what
// reports have to find out.
void reports_make(const Options *options, const Result *result, Program *program, const Trace *trace, Budget *budget,
                  CheckMessage *message);
// Writes them, those that were not made first. False, after a line on standard error, if one cannot be written.
bool reports_write(const Options *options, CheckMessage *message, Log *log);

#endif
