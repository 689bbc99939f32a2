// The precision: the cells (and alive flags) that labels mention. It only grows.
//
// For the reduction `aware`: two steps conflict only over what labels speak of (persistent.h).
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
// A label says this.
void precision_add(Precision *precision, Term formula);

#endif
