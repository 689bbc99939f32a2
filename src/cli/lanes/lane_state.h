// What the files of a portfolio share: how far its lanes are.
//
// Invariants: a lane has at most one process at a time (its child); a setting that is spent is not tried again; a lane
// that said SAFE has no setting left. A verdict ends the run.
#ifndef HEDDLE_CLI_LANES_LANE_STATE_H
#define HEDDLE_CLI_LANES_LANE_STATE_H

#include "cli/run/portfolio.h"

typedef struct LaneState {
  const Lane *lane;
  unsigned turns;              // attempts so far
  size_t member;               // of the present or last attempt
  unsigned spent;              // bits 1 << member: need not be tried again
  Result *last[MOST_SETTINGS]; // what each said last; NULL: nothing yet
  double started;              // the present attempt
  bool whole;                  // the present attempt has all the time that is left
  bool again;                  // a counterexample of this engine was not confirmed: from now on with Context.again
  bool safe;
  bool contradicted; // it said SAFE about a violation that was confirmed: that counts for nothing
  bool repeats;      // the next attempt is with the same setting
  size_t heard;      // so many of the findings are settled for its engine
} LaneState;

// A finding that was told.
typedef struct ToldFinding {
  const char *json; // in the arena
  const Member *teller;
  bool contradicted;
} ToldFinding;
VECTOR(ToldFindingVector, ToldFinding);

typedef struct PortfolioRun {
  const Portfolio *p;
  size_t count, at_once;
  LaneState lanes[MOST_LANES];
  Child children[MOST_LANES]; // one per lane
  ChildLine lines[MOST_LANES];
  Phase phases[MOST_LANES]; // the progress of each; the first is the caller's, if it gave one
  double started;
  unsigned unwound; // learned: see Context
  ToldFindingVector told;
  Arena arena;
  Result *verdict; // NULL: none yet
  bool ended;      // nothing more is to be expected
} PortfolioRun;

// --- lane_process.c ---

// An engine in its process: the context of the work.
typedef struct EngineJob {
  const PortfolioRun *run;
  const Member *member;
  bool again; // Context.again
  double deadline;
  size_t memory;
  char *trail; // for its progress; may be NULL
  const ChildLine *line;
} EngineJob;

void lane_run_engine(void *engine_job, Text *out); // ChildWork

// --- lane_turns.c ---

void lane_begin(LaneState *state, const Lane *lane);
void lane_start_attempt(PortfolioRun *run, size_t lane);
// The lane that should begin next: the one with the fewest turns; NO_CHILD if there is none. `later` becomes the time
// when one may begin that has to wait for its moment.
size_t lane_next(const PortfolioRun *run, double *later);

// --- lane_agreement.c ---

bool lane_some_is_safe(const PortfolioRun *run);
unsigned lane_count_safe(const PortfolioRun *run); // those that agree that there are no other violations
// Engines said SAFE, and there is a confirmed violation.
void lane_add_contradiction(const PortfolioRun *run, const Member *unsafe, Text *text);
// The lanes that said SAFE contradict the finding.
void lane_contradict(PortfolioRun *run, ToldFinding *told);

// --- lane_answers.c ---

// A child has ended, or has said something.
void lane_receive(PortfolioRun *run, size_t lane);
bool lane_ran_out_of_time(const Result *result);

// --- lane_summary.c ---

// No engine decided it: what each of them said. A single engine speaks for itself.
Result *lane_sum_up(PortfolioRun *run);

#endif
