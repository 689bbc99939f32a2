// Arithmetic, comparisons and casts of scalars as terms. arithmetic.c lowers instructions on scalars, vector.c those on
// vectors lane by lane.
//
// The functions on terms emit no step, except arithmetic_check_divisor. A type without a width in the model (long
// double, integers of more than 128 bits) never reaches them: the instruction is a cut.
#ifndef HEDDLE_FRONT_ARITHMETIC_ARITHMETIC_H
#define HEDDLE_FRONT_ARITHMETIC_ARITHMETIC_H

#include "front/lower/lower.h"

TermOperator arithmetic_operator(LLVMOpcode opcode); // of a binary operation; TERM_OPERATOR_COUNT: it is none
bool arithmetic_divides(TermOperator op);
void arithmetic_check_divisor(Lowering *l, Term divisor); // a step of its own, where a zero can be seen
Term arithmetic_compare(TermStore *t, LLVMValueRef instruction, Term a, Term b); // an ICmp or FCmp
Term arithmetic_cast(TermStore *t, LLVMOpcode opcode, Term a, unsigned width);
Term arithmetic_negate_float(TermStore *t, Term a);

// False: not an arithmetic instruction.
bool lower_arithmetic(Lowering *l, LLVMValueRef instruction);
// False: no operand is a vector, or the instruction is not arithmetic.
bool lower_vector(Lowering *l, LLVMValueRef instruction);
// overflow.c: a call of OVERFLOW_CHECK_FUNCTION becomes a CHECK step.
void lower_overflow_check(Lowering *l, LLVMValueRef call);
// mathematics.c: computes a function of <math.h>. False: not one of these, or its arguments are not constant.
bool lower_mathematics(Lowering *l, LLVMValueRef call, const char *name);

#endif
