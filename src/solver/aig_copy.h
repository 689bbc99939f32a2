// Copies of and-inverter graphs: functions of one graph built again in another, with something else in the place of its
// inputs. A graph unrolled over time is a chain of copies, each over what the one before computed.
//
// What stands for an input must be said before a function that needs it is copied. A node may be given a stand-in, too:
// then what is below it is not looked at.
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
