// How executions end: does some execution come through, or do all of them end early?
//
// A proof is worth little if every execution ends before the place that was proved: at an invalid dereference, a
// division by zero or a false assumption. `ends_look` executes the program a few times on the judge's interpreter, with
// random schedules and choices. An execution comes through if it ends the process, reaches a state in which no thread
// can take a step, or is still running after many steps. If none comes through, all states are visited, unless there
// are too many.
//
// This is also a check of the proof: an execution that violates the property contradicts SAFE.
#ifndef HEDDLE_EXPLICIT_EARLY_ENDS_H
#define HEDDLE_EXPLICIT_EARLY_ENDS_H

#include "base/bitset.h"
#include "base/budget.h"
#include "judge/interpreter.h"
#include "verdict/verdict.h"

// A step at which an execution ended early.
typedef struct EarlyEnd {
  ThreadId thread;
  EdgeId edge;
  StepOutcome outcome;   // OUTCOME_BLOCKED: a false assumption
  const char *complaint; // of an invalid access or free; else NULL
} EarlyEnd;
VECTOR(EarlyEndVector, EarlyEnd);

typedef struct Ends {
  const Program *program;
  Property property;
  uint64_t runs, through; // executions, and how many of them came through
  bool complete;          // all executions were examined
  EarlyEndVector early;   // each edge once, in the order in which they were met
  Bitset reached;         // locations
  Schedule *violation;    // of an execution that violates the property, to be judged; NULL: none was seen
  Account *account;
} Ends;

void ends_init(Ends *ends, const Program *program, Property property, Account *account);
void ends_free(Ends *ends);
void ends_look(Ends *ends, Budget *budget);

// The note on a proof: what no execution gets past. Nothing is added if some do, or if too little is known.
void ends_add_note(const Ends *ends, Text *out);

// Adds the assumption that executions end at this step (an access, a free or a division) to what the proof rests on.
// `met`: an execution did end there; else one may.
void ends_rest_on(Result *result, const Program *program, StepId step, bool met);
// The same for all steps at which executions ended, and for accesses that are always invalid. The latter are left out
// if the engine has listed all steps itself (statistic "ends_known").
void ends_all_rest_on(const Ends *ends, Result *result);
// Appends the places of the assertions whose condition no execution evaluated, a line each.
void ends_add_unreached(const Ends *ends, Text *out);

// --- early_ends_all.c: the search for an execution that comes through, among all ---
void ends_look_at_all(Ends *ends, Budget *budget);
// --- for both ---
void ends_add_early(Ends *ends, ThreadId thread, EdgeId edge, StepOutcome outcome, const char *complaint);

#endif
