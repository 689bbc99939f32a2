// Clauses for and-inverter graphs: Tseitin's transformation, on demand.
//
// An encoder gives boolean variables (1, 2, ...) to the nodes that are asked for and hands the clauses that define
// them to a sink, each node once. Definitions are complete equivalences: in every model a variable has the value of
// its node. If-then-else and xor gates get their own short definitions, so that the gates inside them need no variable
// unless something else uses them.
//
// Literals are those of DIMACS: a variable or its negation. The sink gets literals one by one, 0 ends a clause.
#ifndef HEDDLE_SOLVER_CNF_H
#define HEDDLE_SOLVER_CNF_H

#include "solver/aig.h"

typedef struct CnfSink {
  void (*add)(void *context, int literal);
  void *context;
} CnfSink;

typedef struct CnfEncoder {
  const Aig *aig;
  CnfSink sink;
  U32Vector variables; // of a node; 0: none yet
  int variable_count;
  uint64_t clause_count;
  U32Vector stack; // nodes whose definition is still to be written
} CnfEncoder;

void cnf_init(CnfEncoder *encoder, const Aig *aig, CnfSink sink, Account *account);
void cnf_free(CnfEncoder *encoder);

// The literal of `a`, after writing the definitions of everything below it.
int cnf_literal(CnfEncoder *encoder, AigLiteral a);
// The literal if its node has a variable, else 0.
int cnf_find(const CnfEncoder *encoder, AigLiteral a);
// Makes the disjunction true for ever. A conjunction alone is taken apart, and so is a disjunction.
void cnf_assert_clause(CnfEncoder *encoder, const AigLiteral *literals, size_t count);
void cnf_assert(CnfEncoder *encoder, AigLiteral a);

#endif
