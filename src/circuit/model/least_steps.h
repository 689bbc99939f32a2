// Least steps: how many steps a thread must have taken to be at its place.
//
// In a frame of an unrolling, all threads together have taken at most as many steps as there are frames before it. So
// two threads cannot both have got far. This is obvious, but a proof by resolution has to count to derive it, which
// takes very long. So clauses say it in each frame.
#ifndef HEDDLE_CIRCUIT_MODEL_LEAST_STEPS_H
#define HEDDLE_CIRCUIT_MODEL_LEAST_STEPS_H

#include "circuit/model/unrolling.h"
#include "solver/aig_sat.h"

typedef struct LeastSteps {
  const Circuit *circuit;
  U32Vector steps;   // thread by thread, per place: the fewest steps of the thread to it; NO_ID: it never gets there
  U32Vector most;    // per thread: the most of these
  U32Vector reached; // scratch, thread by thread, per number up to `most`: it has taken at least that many steps
  U32Vector first;   // per thread: its first in `reached`
  Account *account;
} LeastSteps;

void least_steps_init(LeastSteps *least, const Circuit *circuit, Account *account);
void least_steps_free(LeastSteps *least);
// Asserts the clauses for the last frame of an unrolling from the initial state.
void least_steps_assert(LeastSteps *least, Unrolling *unrolling, AigSat *sat);

#endif
