// Operations on scalars, as terms: what arithmetic.c does with values and vector.c with each of their lanes.
#ifndef HEDDLE_FRONT_LOWER_ARITHMETIC_H
#define HEDDLE_FRONT_LOWER_ARITHMETIC_H

#include "front/lower/lower.h"

TermOperator arithmetic_operator(LLVMOpcode opcode); // of a binary operation; TERM_OPERATOR_COUNT: it is none
bool arithmetic_divides(TermOperator op);
void arithmetic_check_divisor(Lowering *l, Term divisor); // a step of its own, where a zero can be seen
Term arithmetic_compare(TermStore *t, LLVMValueRef instruction, Term a, Term b); // an ICmp or FCmp
Term arithmetic_cast(TermStore *t, LLVMOpcode opcode, Term a, unsigned width);
Term arithmetic_negate_float(TermStore *t, Term a);

// False: the instruction has to do with no vector, or is not arithmetic.
bool lower_vector(Lowering *l, LLVMValueRef instruction);

#endif
