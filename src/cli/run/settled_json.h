// The findings that do not count in a schedule: those that were told before it was found.
//
// A schedule of a race may pass earlier races on its way. `check` had settled them (program/settled.h), so `replay`
// must settle them, too, or it would tell another violation. The schedule's file has them as the member "settled", an
// array of findings as in --json; it is left out if there is none.
#ifndef HEDDLE_CLI_RUN_SETTLED_JSON_H
#define HEDDLE_CLI_RUN_SETTLED_JSON_H

#include "cli/run/message.h"
#include "program/program.h"

// Adds the findings of the answers from `first` on to a schedule in JSON, as a member after others.
void settled_add_member(const CheckMessageVector *answers, size_t first, Text *schedule);
// Settles in the prepared program what the schedule has. False with one line in `error` if the member is malformed.
bool settled_apply(const char *schedule, Program *program, Text *error);

#endif
