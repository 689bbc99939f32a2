// The mentioned cells: the cells (and alive flags) that labels mention. The set only grows.
//
// The reduction `aware` uses it: two steps conflict only over cells that labels mention (reduce/persistent_threads.h).
#ifndef HEDDLE_REACH_DOMAINS_PRECISION_H
#define HEDDLE_REACH_DOMAINS_PRECISION_H

#include "base/bitset.h"
#include "reach/reduce/persistent_threads.h"

typedef struct Precision {
  Tracks tracks; // first
  const Transitions *transitions;
  Bitset cells; // and alive flags
  Map alive;    // their variables -> cells.count + object
  Map seen;     // formulas
} Precision;

void precision_init(Precision *precision, const Transitions *transitions, Account *account);
void precision_free(Precision *precision);
// Adds the cells of a label's formula.
void precision_add(Precision *precision, Term formula);

#endif
