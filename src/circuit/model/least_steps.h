// Progress: how many steps a thread must have taken to stand where it stands.
//
// The steps of all threads together are as many as have passed. That two threads cannot both have got far is plain to see,
// but a proof by resolution has to count for it, which takes very long: clauses say it in each frame of an unrolling.
#ifndef HEDDLE_CIRCUIT_MODEL_LEAST_STEPS_H
#define HEDDLE_CIRCUIT_MODEL_LEAST_STEPS_H

#include "circuit/model/unrolling.h"
#include "solver/aig_sat.h"

typedef struct Progress {
  const Circuit *circuit;
  U32Vector steps;   // per thread and place, thread by thread: the fewest steps of its own; NO_ID: it never gets there
  U32Vector most;    // per thread: the most of these
  U32Vector reached; // scratch, thread by thread, per number up to `most`: it has taken so many steps, at least
  U32Vector first;   // per thread: its first in `reached`
  Account *account;
} Progress;

void progress_init(Progress *progress, const Circuit *circuit, Account *account);
void progress_free(Progress *progress);
// Asserts it for the last frame of an unrolling from the start.
void progress_assert(Progress *progress, Unrolling *unrolling, AigSat *sat);

#endif
