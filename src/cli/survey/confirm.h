// `--confirm`: the exact engines look for the races that a survey warns of.
//
// The runs, each a check for no-data-race in a child of its own, which share the time that is left:
//   1. the whole program. If it is proved to have no race, all warnings are excluded.
//   2. the whole program without the library's functions that have no model, at the lines of all warnings
//   3. for each object that is not confirmed, in the order of the numbers: slices (survey/slices/race_slice.h), the
//      smallest first, at the lines of its pairs
//   4. the whole program again, if time is left and the first run needed more
// A run at certain lines asks for races between accesses there only. What a race of a run confirms: confirm_marks.h.
//
// Slices exclude nothing: what replaced functions write to globals is left out. With `--entry` there are threads that
// the exact engines do not know, and nothing is excluded either.
#ifndef HEDDLE_CLI_SURVEY_CONFIRM_H
#define HEDDLE_CLI_SURVEY_CONFIRM_H

#include "base/arena.h"
#include "cli/options/options.h"
#include "cli/run/child.h"
#include "report/surveys/survey_report.h"

typedef struct Confirmation {
  const Options *options; // of `heddle survey`
  const Code *code;
  FrontUnit *unit; // that the code was read from
  Interrupt *interrupt;
  Log *log;
  size_t memory;   // bytes; 0: no limit
  double deadline; // on clock_now's clock; 0: none
} Confirmation;

// Marks pairs and objects. `object`: the only one that is asked about; NO_CODE_ID: all that are warned of or open.
// Texts are made in the arena.
void confirm_pairs(const Confirmation *confirmation, uint32_t object, SurveyReport *report, Arena *arena);

#endif
