// The reports that `check` writes as files.
//
// The process that has the program and the trace makes their texts (reports_make); the first process, which outlives
// all others, writes the files (reports_write). If the process that should make a report has died, the report is made
// from the result alone.
#ifndef HEDDLE_CLI_REPORTS_H
#define HEDDLE_CLI_REPORTS_H

#include "cli/message.h"
#include "cli/options.h"
#include "report/report.h"

// Fills those texts of the message that the options ask for. Program and trace are as in Report (report.h). The budget
// is for the search for an invariant.
void reports_make(const Options *options, const Result *result, Program *program, const Trace *trace, Budget *budget,
                  CheckMessage *message);
// Writes the files; makes the texts of an UNKNOWN result if they are missing. False, after a line on standard error, if
// a file cannot be written.
bool reports_write(const Options *options, CheckMessage *message, Log *log);

#endif
