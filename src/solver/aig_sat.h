// Satisfiability of and-inverter graphs: CaDiCaL on the clauses of those functions that were asked for.
//
// The graph belongs to the caller and may grow between questions. Whatever is asserted holds for ever. After a
// satisfiable answer the inputs have values, until something is asserted or asked again.
#ifndef HEDDLE_SOLVER_AIG_SAT_H
#define HEDDLE_SOLVER_AIG_SAT_H

#include "base/budget.h"
#include "solver/cnf.h"
#include "solver/solver.h"

typedef struct AigSat {
  const Aig *aig;
  void *sat; // CaDiCaL's
  CnfEncoder encoder;
  Budget *budget; // or NULL
} AigSat;

void aig_sat_init(AigSat *s, const Aig *aig, Budget *budget, Account *account);
// To be called right after the start: the SAT solver spends no time on simplifying clauses, and tries false first. For
// unrolled circuits, which grow with each check and have few true literals.
void aig_sat_search_only(AigSat *s);
void aig_sat_free(AigSat *s);
void aig_sat_assert(AigSat *s, AigLiteral literal);
void aig_sat_assert_clause(AigSat *s, const AigLiteral *literals, size_t count);
// The next check gives up after so many conflicts.
void aig_sat_limit_conflicts(AigSat *s, int conflicts);
// SOLVER_UNKNOWN: the budget or the limit is exhausted.
SolverAnswer aig_sat_check(AigSat *s, const AigLiteral *assumptions, size_t count);
// Right after UNSAT: is the assumption in the core?
bool aig_sat_blames(const AigSat *s, AigLiteral assumption);
// Gives the literal a variable, so that its value can be read after the next check.
void aig_sat_define(AigSat *s, AigLiteral literal);
// Right after SAT: the value of a constant, an input (0 if no clause mentions it), or a literal that was defined.
bool aig_sat_value(const AigSat *s, AigLiteral literal);
bool aig_sat_input(const AigSat *s, AigLiteral input);

#endif
