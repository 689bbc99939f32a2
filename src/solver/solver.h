// Solvers: one interface to satisfiability of terms, for every back end.
//
// A Solver holds a growing set of assertions over one term store and answers checks under assumptions. It is a table
// of functions (SolverOps) with a state; back ends (CaDiCaL behind the bit-blaster, Z3) and decorators (dump,
// cross-check, automatic choice) have the same shape. Callers use the solver_* functions, which add what all have in
// common: counting, budgets, values of terms, and the checking of answers.
//
// Answers.
// - SAT: `solver_value` gives a model of the assertions and assumptions. It stays readable until the
//   next check or free, also while assertions are added. Every variable has a value (one that nothing constrains a
//   default), and all values are consistent.
// - UNSAT: `solver_core` is a subset of the assumptions, in their order, that is unsatisfiable with the assertions. It
//   is empty if the assertions alone are. It is not always minimal (`solver_shrink_core`).
// - UNKNOWN: nothing was found out. An interrupted check is always UNKNOWN, and the
//   solver can be used on.
//
// Unsupported terms (`solver_supports`: floating point or equality of arrays on CaDiCaL, fmod on both) are left out
// when asserted or assumed. That keeps UNSAT right; what would be SAT then is UNKNOWN, from the assertion on.
// SOLVER_AUTOMATIC starts with CaDiCaL and moves to Z3 for good at the first term that needs it.
//
// Cost: a SAT answer assigns everything that was ever asserted or assumed, so the price of a check grows with the life
// of a solver. Queries that have little in common are better asked of separate solvers.
//
// Budget: it may be NULL. Stop points are "solver-check" (at each check) and "solver-search" (inside a search).
//
// Checking: in debug builds each model is evaluated on the assertions and assumptions, and each core is solved again
// alone; a wrong answer ends the process with a message. `solver_set_checking` turns this on or off before the first
// assertion.
//
// Ownership: `solver_free` frees the state, and a decorator frees the solver it wraps. Store, account and budget are
// the caller's and must outlive the solver. Solvers are not thread-safe.
#ifndef HEDDLE_SOLVER_SOLVER_H
#define HEDDLE_SOLVER_SOLVER_H

#include "base/budget.h"
#include "solver/model.h"
#include "term/term.h"

typedef enum SolverKind { SOLVER_AUTOMATIC, SOLVER_CADICAL, SOLVER_Z3 } SolverKind;
typedef enum SolverAnswer { SOLVER_UNKNOWN, SOLVER_SAT, SOLVER_UNSAT } SolverAnswer;

// X(name, meaning)
#define SOLVER_STATISTICS(X)                                                                                           \
  X(checks, "checks")                                                                                                  \
  X(satisfiable, "checks answered sat")                                                                                \
  X(unsatisfiable, "checks answered unsat")                                                                            \
  X(unknown, "checks not answered")                                                                                    \
  X(assertions, "terms asserted")                                                                                      \
  X(term_clauses, "clauses of terms added")                                                                            \
  X(unsupported, "terms left out")                                                                                     \
  X(clauses, "clauses given to the SAT solver")                                                                        \
  X(variables, "variables of the SAT solver")                                                                          \
  X(gates, "gates of the and-inverter graph")

typedef struct SolverStatistics {
#define X(name, meaning) uint64_t name;
  SOLVER_STATISTICS(X)
#undef X
  double seconds; // inside checks
} SolverStatistics;

typedef struct Solver Solver;

typedef struct SolverOps {
  const char *name;
  bool (*supports)(Solver *solver, Term t);
  void (*assert_term)(Solver *solver, Term t);                            // a supported term of width 1
  void (*add_clause)(Solver *solver, const Term *literals, size_t count); // supported terms of width 1
  // Stores the failed assumptions in solver->core if UNSAT, in the order of the assumptions.
  SolverAnswer (*check)(Solver *solver, const Term *assumptions, size_t count);
  ModelSource (*model)(Solver *solver);                                   // after SAT; valid until the next check
  void (*statistics)(const Solver *solver, SolverStatistics *statistics); // adds what only it knows
  void (*free)(Solver *solver);                                           // the state
} SolverOps;

struct Solver {
  const SolverOps *ops;
  void *state;
  TermStore *store;
  Account *account;
  Budget *budget; // or NULL
  SolverAnswer answer;
  TermVector core;
  Model model;
  SolverStatistics statistics;
  bool incomplete;     // an unsupported term was left out of the assertions
  bool checking;       // keep `asserted` and check all answers
  TermVector asserted; // assertions and clauses, each ended by TERM_NONE
  TermVector supported_assumptions;
};

// With an inspection of the store (solver/inspection.h), questions are also written to files or asked of a second one.
Solver *solver_new(SolverKind kind, TermStore *store, Account *account, Budget *budget);
void solver_free(Solver *solver);
void solver_set_checking(Solver *solver, bool checking);

bool solver_supports(Solver *solver, Term t);
void solver_assert(Solver *solver, Term t); // width 1, for ever
// The disjunction of terms of width 1, for ever; an empty one makes everything unsatisfiable.
void solver_add_clause(Solver *solver, const Term *literals, size_t count);
SolverAnswer solver_check(Solver *solver, const Term *assumptions, size_t count);

const TermVector *solver_core(const Solver *solver); // after UNSAT; valid until the next check
Bits solver_value(Solver *solver, Term t);           // after SAT; any bit-vector term of the store
bool solver_holds(Solver *solver, Term t);           // after SAT; width 1
SolverStatistics solver_statistics(const Solver *solver);
const char *solver_answer_name(SolverAnswer answer); // "sat", "unsat", "unknown"

// Drops terms from an unsatisfiable set of assumptions while it stays unsatisfiable, with at most `checks` checks.
// A set that was not cut short by the limit or an interruption is minimal.
void solver_shrink_core(Solver *solver, TermVector *core, size_t checks);

// --- for back ends and decorators ---
Solver *solver_make(const SolverOps *ops, void *state, TermStore *store, Account *account, Budget *budget);
void solver_set_core(Solver *solver, const TermVector *core);
// Ends the process with a message: an answer was wrong.
_Noreturn void solver_wrong(const Solver *solver, const char *what);

Solver *cadical_new(TermStore *store, Account *account, Budget *budget);
Solver *z3_new(TermStore *store, Account *account, Budget *budget);
Solver *automatic_new(TermStore *store, Account *account, Budget *budget);

#endif
