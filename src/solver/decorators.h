// Decorators: solvers that wrap a solver. Each owns what it wraps and is used like any other solver.
//
// - dump writes every query to files, before and again after it is answered, so that a query that never ends is there
//   too: SMT-LIB 2 always, DIMACS where bit-blasting can express it. Assumptions are written as assertions. A comment
//   says how long the answer took.
// - crosscheck asks two solvers and compares: their answers must not contradict; a model of either must satisfy all
//   assertions and assumptions; a core of either must not be satisfiable for the other. A contradiction is reported to
//   the callback, and the check is then UNKNOWN; without a callback the process ends.
#ifndef HEDDLE_SOLVER_DECORATORS_H
#define HEDDLE_SOLVER_DECORATORS_H

#include "solver/solver.h"

// Files are FOLDER/NAME-000001.smt2 and .cnf, counting checks. The folder must exist. `*error` becomes the errno of the
// first file that could not be written; it is left alone if there is none.
Solver *dump_new(Solver *inner, const char *folder, const char *name, int *error);

typedef void (*CrosscheckReport)(void *context, const char *what);
// `*compared` (or NULL) counts the checks that both solvers answered alike.
Solver *crosscheck_new(Solver *first, Solver *second, CrosscheckReport report, void *context, uint64_t *compared);

// --- shared by decorators whose state begins with the wrapped solver ---
typedef struct Wrapper {
  Solver *inner;
} Wrapper;
static inline Solver *wrapped(const Solver *solver) { return ((const Wrapper *)solver->state)->inner; }
bool wrapper_supports(Solver *solver, Term t);
void wrapper_assert_term(Solver *solver, Term t);
void wrapper_add_clause(Solver *solver, const Term *literals, size_t count);
SolverAnswer wrapper_check(Solver *solver, const Term *assumptions, size_t count);
ModelSource wrapper_model(Solver *solver);
void wrapper_statistics(const Solver *solver, SolverStatistics *statistics);

#endif
