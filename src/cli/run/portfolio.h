// A portfolio: the lanes of a plan on one program, each engine in a process of its own, until a verdict is confirmed.
//
// With one job, lanes take turns in slices that grow; with more, up to two lanes per job run side by side, the first of
// the plan a little earlier. A lane whose engine crashes, fills its share of the memory or gives up costs only itself.
//
// SAFE counts once `agree` lanes have said it. UNSAFE counts when `confirm` has executed the schedule. If it does not
// lead to a violation, an engine that can try again in another way (Context.again) does so. If SAFE and UNSAFE were
// said, that is a contradiction: an internal error that says how to repeat both. Without `tell`, it is the result.
//
// Behind the first violation (`tell`). Every confirmed violation is told and settled in the program, and the search
// goes on for the rest. An engine that can (Context.tell) keeps its process: it says the violation on its line, waits
// for the findings that it has not heard of, and continues. Other engines end with their violation and begin again. The
// lanes beside them are not disturbed: each is told of a finding when it comes to one that the judge does not accept
// any more. SAFE of an engine is about all goals that were not settled for it. So lanes that say SAFE agree about all
// goals without a finding, and one that says it without having heard of a finding contradicts that finding
// (`contradict`): its goals are open, whichever lane is wrong. What that lane says about other goals does not count
// either: others decide them.
#ifndef HEDDLE_CLI_RUN_PORTFOLIO_H
#define HEDDLE_CLI_RUN_PORTFOLIO_H

#include "cli/run/child.h"
#include "cli/run/phase.h"
#include "cli/run/plan.h"
#include "judge/judge.h"

// What becomes of a confirmed violation.
typedef enum AfterFinding {
  AFTER_FINDING_GOES_ON, // it is told and settled in the program
  AFTER_FINDING_ENDS     // it is the verdict, or the result was turned into UNKNOWN: there is no way past it
} AfterFinding;

typedef struct Portfolio {
  const Plan *plan;
  Program *program;
  Property property;
  const LtlProperty *ltl; // or NULL
  Interrupt *interrupt;
  Log *log;
  const Phase *phase; // the progress of the first lane, for a process that waits for this one; may be NULL
  double deadline;    // on clock_now's clock; 0: none
  size_t memory;      // for all engines together; 0: no limit
  unsigned jobs;
  double slice;            // seconds of the first slices when lanes take turns
  unsigned agree;          // lanes that must say SAFE; at least 1
  bool may_grow;           // a cut may be moved by lowering again
  unsigned round;          // so often the program was lowered before
  unsigned growing;        // bits 1 << CutKind: the cuts for which that holds
  double grow_at;          // see Context
  const char *dump_folder; // of --dump-smt, or NULL
  bool cross_check;        // --cross-check
  const char *repeat;      // a command line without an engine, for what is told of contradictions
  // Has the judge execute the schedule of a result; if it does not end in a violation, says why.
  JudgeOutcome (*confirm)(void *context, const Result *result, Text *why);
  // Tells the violation of a result that was just confirmed; appends the finding as JSON. NULL: the first one is the
  // verdict.
  AfterFinding (*tell)(void *context, Result *result, Text *finding);
  // A finding that was told is contradicted. To be given with `tell`.
  void (*contradict)(void *context, const char *finding, const char *reason);
  void *context;
} Portfolio;

// The first confirmed verdict about all that is not settled, sealed; or UNKNOWN with what all of them said. To be
// freed.
Result *portfolio_run(const Portfolio *portfolio);

// How long after its deadline an engine is killed.
#define ENGINE_GRACE 0.3

#endif
