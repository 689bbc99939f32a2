// Word operators on and-inverter graphs: adders, multipliers, dividers, shifters, comparisons.
//
// A word is an array of literals, lowest bit first, of 1 to WORD_BITS bits. Operands and results have the same width
// `n` unless said otherwise. `out` may be the same array as an operand (never a partly overlapping one).
// Meanings are those of SMT-LIB: division by zero gives all ones and the dividend, a shift by at least the width gives
// zeros or signs, a rotation counts modulo the width.
#ifndef HEDDLE_SOLVER_WORDS_H
#define HEDDLE_SOLVER_WORDS_H

#include "solver/aig.h"

enum { WORD_BITS = 128 };

typedef unsigned __int128 WordBits;

void word_constant(unsigned n, WordBits value, AigLiteral *out);
void word_not(unsigned n, const AigLiteral *a, AigLiteral *out);
void word_and(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out);
void word_or(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out);
void word_xor(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out);
void word_ite(Aig *aig, unsigned n, AigLiteral condition, const AigLiteral *a, const AigLiteral *b, AigLiteral *out);

// a + b + carry; the result is the carry out of the top bit.
AigLiteral word_add(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral carry, AigLiteral *out);
// a - b; the result is the borrow: a < b, unsigned.
AigLiteral word_subtract(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out);
void word_negate(Aig *aig, unsigned n, const AigLiteral *a, AigLiteral *out);
void word_multiply(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out);
// Either result may be NULL.
void word_divide_unsigned(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *quotient,
                          AigLiteral *remainder);
void word_divide_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out);
void word_remainder_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out);
void word_modulo_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b, AigLiteral *out);

void word_shift_left(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *by, AigLiteral *out);
void word_shift_right(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *by, AigLiteral fill,
                      AigLiteral *out);
void word_rotate_left(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *by, AigLiteral *out);
void word_rotate_right(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *by, AigLiteral *out);

AigLiteral word_equal(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b);
AigLiteral word_is_constant(Aig *aig, unsigned n, const AigLiteral *a, WordBits value);
AigLiteral word_less_unsigned(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b);
AigLiteral word_less_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b);

// Whether the exact result does not fit in n bits.
AigLiteral word_add_overflows_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b);
AigLiteral word_subtract_overflows_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b);
AigLiteral word_multiply_overflows_unsigned(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b);
AigLiteral word_multiply_overflows_signed(Aig *aig, unsigned n, const AigLiteral *a, const AigLiteral *b);

#endif
