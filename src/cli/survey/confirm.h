// `--confirm`: the exact engines look for the races that a survey warns of.
//
// The whole program is checked for no-data-race, as `heddle check` does it, in a child of its own. A race that it
// executes confirms the pairs with the same two lines on an object of the same name, or the object, if its pairs
// have one of the lines. If the program is proved to have no race, all warnings are excluded; what that proof rests
// on is added to the report. This is sound for programs that are surveyed from main: with `--entry` there are
// threads that the exact engines do not know, and nothing is excluded.
#ifndef HEDDLE_CLI_SURVEY_CONFIRM_H
#define HEDDLE_CLI_SURVEY_CONFIRM_H

#include "base/arena.h"
#include "cli/options/options.h"
#include "cli/run/child.h"
#include "report/surveys/survey_report.h"

typedef struct Confirmation {
  const Options *options; // of `heddle survey`
  Interrupt *interrupt;
  Log *log;
  size_t memory;   // bytes; 0: no limit
  double deadline; // on clock_now's clock; 0: none
} Confirmation;

// Marks pairs. Texts are made in the arena.
void confirm_pairs(const Confirmation *confirmation, SurveyReport *report, Arena *arena);

#endif
