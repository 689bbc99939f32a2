// Inspection of solvers: what is done with each question beside answering it.
//
// An Inspection is attached to a term store (term_store_inspect). From then on solver_new wraps each solver over the
// store in decorators: dump writes each question to files, crosscheck asks Z3 as well and compares. Each solver has a
// number, which begins the names of its files: FOLDER/003-000001.smt2 is the first question of the third solver.
//
// It covers questions about terms. What AigSat and ABC are asked about circuits is not inspected.
#ifndef HEDDLE_SOLVER_INSPECTION_H
#define HEDDLE_SOLVER_INSPECTION_H

#include "base/log.h"
#include "solver/solver.h"

typedef struct Inspection {
  char *folder; // of the files; NULL: none are written. Owned
  bool cross_check;
  Log *log;          // gets a line for each contradiction
  unsigned solvers;  // made so far
  uint64_t compared; // questions that two solvers have answered, and agreed
  unsigned contradictions;
  int error; // errno of the first file that could not be written, or 0
} Inspection;

// Creates a folder of its own in `parent`, for files: NAME-1, NAME-2, ..., the first that does not exist. Without a
// parent (NULL) no files are written. False, with errno set, if there cannot be one; the inspection is valid, without
// files.
bool inspection_init(Inspection *inspection, const char *parent, const char *name, bool cross_check, Log *log);
void inspection_free(Inspection *inspection);

// The solver that stands for `inner`, which it owns.
Solver *inspection_wrap(Inspection *inspection, Solver *inner);

#endif
