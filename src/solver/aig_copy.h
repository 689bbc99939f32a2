// Copies of and-inverter graphs: functions of one graph are built again in another one, with stand-ins for their
// inputs. A graph that is unrolled over time is a chain of copies; the outputs of one copy are the inputs of the next.
//
// An input must have a stand-in before a function that needs the input is copied. Any node may have a stand-in; the
// nodes below it are then not visited.
#ifndef HEDDLE_SOLVER_AIG_COPY_H
#define HEDDLE_SOLVER_AIG_COPY_H

#include "solver/aig.h"

typedef struct AigCopy {
  const Aig *source;
  Aig *target;
  U32Vector known; // per node of the source: its literal in the target, plus one; 0: not copied yet
  U32Vector stack; // nodes still to be copied
} AigCopy;

void aig_copy_init(AigCopy *copy, const Aig *source, Aig *target, Account *account);
void aig_copy_free(AigCopy *copy);
void aig_copy_forget(AigCopy *copy); // all stand-ins and copies
void aig_copy_put(AigCopy *copy, AigLiteral literal, AigLiteral stand_in);
bool aig_copy_has(const AigCopy *copy, AigLiteral literal);
AigLiteral aig_copy_literal(AigCopy *copy, AigLiteral literal);

#endif
