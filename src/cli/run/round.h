// Checking a program: rounds with growing limits, each in a process of its own.
//
//   heddle check            prints and writes; never touches the program
//   └─ findings_run         runs clang, reads the bitcode; asks one property after the other; grows limits
//      └─ one round         lowers, judges counterexamples by replay, writes the trace
//         └─ engines        the portfolio (portfolio.h): each has a share of the memory
//
// Whatever dies, its parent makes an UNKNOWN of it.
#ifndef HEDDLE_CLI_RUN_ROUND_H
#define HEDDLE_CLI_RUN_ROUND_H

#include "cli/run/child.h"
#include "cli/run/lowering.h"
#include "cli/run/message.h"
#include "cli/run/phase.h"

// For the statistics of an answer; all 0: the survey was not asked.
typedef struct SurveyCounts {
  double seconds, objects, proved;
} SurveyCounts;

typedef struct Check {
  const Options *options;
  Interrupt *interrupt;
  Log *log;
  const char *subject; // begins progress lines; NULL: nothing
  size_t memory;       // limit of each round, and of its engines together; 0: none
  unsigned jobs;       // processors to use
  double started;      // on clock_now's clock
  double deadline;     // of the present property; 0: none
  Phase phase;         // what the rounds, or the present one, are doing
  FrontUnit *unit;
  FrontView compiled;          // what the unit was opened for: of it only `leaks` and `overflows` matter
  CheckMessageVector *answers; // so far; those of the present property begin with `first_answer`
  size_t first_answer;
  bool no_survey;      // the survey is not asked (survey_answer.h)
  bool survey_is_safe; // it was asked about the present property, and says SAFE: its word is one of `agree`
  SurveyCounts survey; // what it saw of the present property
  // Of the current round:
  LoweringSettings lowering;
  unsigned round;
  double slice_end; // when the engines must stop if larger limits may still help
  double preparing; // seconds until the engines began, known after that
  ChildLine line;   // in the round's process: to its parent
} Check;

// How long after its deadline a process is killed, and after an interrupt (engines: ENGINE_GRACE).
#define ROUND_GRACE 0.45
#define CHECK_GRACE 0.6

#define PREPARING_SECONDS "preparing_seconds" // a statistic of the last round

// Asks about the present property with growing limits. `last`, which is empty, becomes the message of the last round,
// completed by what earlier rounds learned, or an error in the input. Violations that were found before do not count.
// Those that are found on the way are added to the answers; the message is about the rest.
void rounds_run(Check *check, Message *last);
// ChildWork on a Check: one round. Its records are messages, one for each finding.
void round_run(void *check, Text *out);
// ChildWork on a Check: lowers the program and searches a little for a violation. The message is SAFE, or UNKNOWN if
// the judge executed one: for proofs of which no other engine hears.
void round_try_proof(void *check, Text *out);
// What progress lines say first: the property, if there are several, and how many violations it has.
void round_topic(const Check *check, Text *topic);

#endif
