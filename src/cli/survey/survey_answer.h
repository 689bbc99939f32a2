// The survey as an engine of `check`: it is asked about data races before the program is lowered.
//
// SAFE if the survey is complete and proves each shared object; it holds for any number of threads, and rests on what
// surveys take for granted (ASSUME_SURVEY). Else UNKNOWN: a warning of a survey is no violation. The survey runs in a
// process of its own. Beside other engines it has a small share of the time, and what goes wrong in it costs only that.
#ifndef HEDDLE_CLI_SURVEY_SURVEY_ANSWER_H
#define HEDDLE_CLI_SURVEY_SURVEY_ANSWER_H

#include "cli/run/round.h"

// Is it the only engine that is asked?
bool survey_answer_is_all(const Check *check);
// Is it asked about the present property?
bool survey_answer_is_wanted(const Check *check);
// Asks it. Makes the message: one of a SAFE or UNKNOWN, or an error in the input.
void survey_answer_ask(Check *check, Message *message);
// From the statistics of its answer, and to those of answers of other engines.
SurveyCounts survey_counts_of(const Result *result);
void survey_counts_add(const SurveyCounts *counts, Result *result);

#endif
