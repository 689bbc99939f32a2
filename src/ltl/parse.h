// Formulas of linear temporal logic as people write them: `G (request -> F acknowledge == 1)`.
//
//   formula   equal operators, weakest first:  <->   ->   ||   &&   U W R   (binary; -> U W R bind to the right)
//             then  ! G F X  (also [] and <>), then atoms, true, false, parentheses
//   atom      a C expression without && || ! at its top, such as `x + 1 < y`, `flags & 4`, `queue.length`; a place:
//             `at(worker:12)`, `at(label)`; anything else in double quotes: "a && b", "G == 1", "c == '\"'"
//
// Comments are blanks, and operators in character constants and strings of C are letters (source.h). What is stored of
// an atom is on one line and without comments.
//
// G F X U W R are operators wherever they stand alone; a variable of such a name needs quotes. `p->q` is an expression
// of C; an implication has a blank behind it, `p -> q`.
//
// The parser recurses for parentheses, unary operators and operators that bind to the right, at most 500 levels deep.
// Chains of the other operators may be of any length: they become flat trees. So a formula is nested some ten thousand
// levels deep at most, and recursion over it does not run out of stack.
#ifndef HEDDLE_LTL_PARSE_H
#define HEDDLE_LTL_PARSE_H

#include "base/arena.h"
#include "ltl/formula.h"

typedef struct LtlAtom {
  const char *text; // the C expression, or what stands in at(...)
  bool place;       // at(...)
  uint32_t column;  // where it begins, from 1, counted over all lines of the text
} LtlAtom;
VECTOR(LtlAtomVector, LtlAtom);

// Parses the text; atoms are numbered in the order in which they come, equal texts have equal numbers. Their texts are
// in the arena. False, with one line in `error` that begins with the position (source_position), if it is no formula.
bool ltl_parse(LtlStore *store, const char *text, Ltl *formula, LtlAtomVector *atoms, Arena *arena, Text *error);

#endif
