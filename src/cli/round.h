// Checking a program: rounds with growing limits, each in a process of its own.
//
//   heddle check            prints and writes; never touches the program
//   └─ rounds_run           runs clang, reads the bitcode; decides how limits grow
//      └─ one round         lowers, judges counterexamples by replay, writes the trace
//         └─ engines        the portfolio (portfolio.h): each has a share of the memory
//
// Whatever dies, its parent makes an UNKNOWN of it.
#ifndef HEDDLE_CLI_ROUND_H
#define HEDDLE_CLI_ROUND_H

#include "cli/child.h"
#include "cli/lowering.h"
#include "cli/phase.h"

typedef struct Check {
  const Options *options;
  Interrupt *interrupt;
  Log *log;
  size_t memory;   // limit of each round, and of its engines together; 0: none
  unsigned jobs;   // processors to use
  double started;  // on clock_now's clock
  double deadline; // 0: none
  Phase phase;     // what the rounds, or the present one, are doing
  // Of the current round:
  FrontUnit *unit;
  Lowering lowering;
  unsigned round;
  double slice_end; // when the engines must stop if larger limits may still help
  double preparing; // seconds until the engines began, known after that
} Check;

// How long after its deadline a process is killed, and after an interrupt (engines: ENGINE_GRACE).
#define ROUND_GRACE 0.45
#define CHECK_GRACE 0.6

#define PREPARING_SECONDS "preparing_seconds" // a statistic of the last round

// ChildWork on a Check: all rounds, or one.
void rounds_run(void *check, Text *out);
void round_run(void *check, Text *out);

#endif
