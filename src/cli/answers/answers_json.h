// The file of --json: the answers with all statistics, findings and goals.
//
// If one property was asked, its members are those of the result that stands for it (the first violation, else the
// rest), as result_add_members writes them, with the launch and the schedule. If there are several, the worst answer
// stands in their place. In both cases these follow:
//   "findings":   a list: property, kind, violation, places, goals and schedule
//   "properties": a list: property, answer, reason (of what is open), assumptions
//   "table":      a list: property, goals, proved, violated, open
#ifndef HEDDLE_CLI_ANSWERS_ANSWERS_JSON_H
#define HEDDLE_CLI_ANSWERS_ANSWERS_JSON_H

#include "cli/answers/answers.h"
#include "cli/options/options.h"

void answers_write_json(const Options *options, const PropertyAnswerVector *answers, Text *out);

#endif
