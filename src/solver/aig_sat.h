// Satisfiability of and-inverter graphs: CaDiCaL on the clauses of those functions that were asked for.
//
// The graph belongs to the caller and may grow between questions. Whatever is asserted holds for ever. After a satisfiable
// answer the inputs have values, until something is asserted or asked again.
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
void aig_sat_free(AigSat *s);
void aig_sat_assert(AigSat *s, AigLiteral literal);
void aig_sat_assert_clause(AigSat *s, const AigLiteral *literals, size_t count);
// SOLVER_UNKNOWN: the budget is exhausted.
SolverAnswer aig_sat_check(AigSat *s, const AigLiteral *assumptions, size_t count);
// Right after SAT: the value of an input (false if no clause mentions it).
bool aig_sat_input(const AigSat *s, AigLiteral input);

#endif
