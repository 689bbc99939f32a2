// How executions end: does one come to the end of the program, or do all of them end early?
//
// A proof is worth little if every execution ends before it comes to what is proved: at an invalid dereference, a
// division by zero, a false assumption. `ends_look` runs a few executions, with schedules and choices made at random,
// on the judge's interpreter. One that comes through is enough: that ends the process, comes to where no thread can
// run, or is still running after many steps. If none does, all states are looked at, if there are not too many.
//
// It is a second opinion, too: an execution that violates the property contradicts SAFE.
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
  bool complete;          // all executions were looked at
  EarlyEndVector early;   // each edge once, in the order in which they were met
  Bitset reached;         // locations
  Schedule *violation;    // of an execution that violates the property, to be judged; NULL: none was seen
  Account *account;
} Ends;

void ends_init(Ends *ends, const Program *program, Property property, Account *account);
void ends_free(Ends *ends);
void ends_look(Ends *ends, Budget *budget);

// "invalid dereference at a.c:3 in thread 0 (main): null pointer"
void ends_tell(const Ends *ends, const EarlyEnd *early, Text *out);
// The note on a proof: what no execution gets past. Nothing is added if some do, or if too little is known.
void ends_add_note(const Ends *ends, Text *out);

// A proof rests on it that executions end at this step (an access, a free or a division): one did (`met`), or one may.
void ends_rest_on(Result *result, const Program *program, StepId step, bool met);
// All that is known of this after some executions: what they met, and what is invalid in any case. An engine that knows
// all (statistic "ends_known") is asked no more.
void ends_all_rest_on(const Ends *ends, Result *result);
// Assertions of which no execution came as far as their condition: their places, a line each.
void ends_add_unreached(const Ends *ends, Text *out);

// --- early_ends_all.c: the search for an execution that comes through, among all ---
void ends_look_at_all(Ends *ends, Budget *budget);
// --- for both ---
void ends_add_early(Ends *ends, ThreadId thread, EdgeId edge, StepOutcome outcome, const char *complaint);
bool ends_violates(Property property, StepOutcome outcome);

#endif
