// What `check` prints on standard output about its answers.
//
// With one property and at most one violation: the property, the trace or what the answer rests on. With more, a
// heading for each property and each further violation, and at the end a table of goals and a line per property.
#ifndef HEDDLE_CLI_ANSWERS_ANSWERS_PRINT_H
#define HEDDLE_CLI_ANSWERS_ANSWERS_PRINT_H

#include "cli/answers/answers.h"
#include "cli/options/options.h"

void answers_print(const Options *options, const PropertyAnswerVector *answers, Text *out);
// The last line, "result: ...", without its newline.
void answers_print_verdict(const PropertyAnswerVector *answers, Text *out);

#endif
