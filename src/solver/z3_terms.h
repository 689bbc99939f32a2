// Terms as Z3 expressions.
//
// A term of width 1 is a Z3 boolean, wider terms are bit-vectors, arrays are arrays of bit-vectors (also where an index
// or element has one bit). Floating-point operators work on IEEE bit patterns: operands are converted with to_fp,
// results back to bits, a NaN as the canonical one. Everything but fmod can be translated.
//
// The table keeps a reference to each expression it made until it is freed.
#ifndef HEDDLE_SOLVER_Z3_TERMS_H
#define HEDDLE_SOLVER_Z3_TERMS_H

#include "base/map.h"
#include "solver/cone.h"
#include "term/term.h"

#include <z3.h>

typedef struct Z3Terms {
  Z3_context context;
  const TermStore *store;
  Map cache;      // of terms: Z3_ast
  U64Vector kept; // every Z3_ast we hold a reference to
  TermVector stack;
  Z3_ast bit_zero, bit_one; // bit-vectors of width 1
  Z3_ast to_even, to_zero;  // rounding modes
} Z3Terms;

void z3_terms_init(Z3Terms *terms, Z3_context context, const TermStore *store, Account *account);
void z3_terms_free(Z3Terms *terms);
bool z3_terms_lacks(const TermStore *store, Term t); // this operator cannot be translated
// The expression, owned by the table. Not for terms with fmod.
Z3_ast z3_terms_get(Z3Terms *terms, Term t);
// Holds a reference to `ast` until the table is freed; returns it.
Z3_ast z3_terms_keep(Z3Terms *terms, Z3_ast ast);
Z3_ast z3_terms_constant(Z3Terms *terms, unsigned width, Bits value); // a bit-vector

#endif
