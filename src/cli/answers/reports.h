// The files that `check` writes: schedules and reports.
//
// The process that has the program and the trace makes the texts of one answer (reports_make). The first process, which
// outlives all others, joins the texts of all answers and writes the files (reports_write). If the process that should
// make a report has died, the report is made from the result alone.
//
// A page, and a SARIF file, have all answers: the findings of a property, or what is said about it if it has none. A
// schedule or witness is of one execution: that of the first finding is FILE, that of the second FILE-2, and so on, the
// number before the suffix. Without a finding there are as many witnesses as properties that have one.
#ifndef HEDDLE_CLI_ANSWERS_REPORTS_H
#define HEDDLE_CLI_ANSWERS_REPORTS_H

#include "cli/answers/answers.h"
#include "cli/options/options.h"
#include "report/report.h"

// Fills those texts of the message that the options ask for. Program and trace are as in Report (report.h). The budget
// is for the search for an invariant.
void reports_make(const Options *options, const Result *result, Program *program, const Trace *trace, Budget *budget,
                  CheckMessage *message);
// Makes the texts of UNKNOWN answers that are missing.
void reports_complete(const Options *options, CheckMessageVector *messages);
// Writes the files. False, after a line on standard error, if a file cannot be written.
bool reports_write(const Options *options, const PropertyAnswerVector *answers, Log *log);

#endif
