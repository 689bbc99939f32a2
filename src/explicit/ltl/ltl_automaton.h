// The automaton of a formula, state by state: what promises.h describes, on sets of promises.
//
// A state is a set of promises that the step into it made; state 0 is the one before the first step, which has to keep
// the whole formula. A move reads a letter, keeps what was promised, and makes new promises. `fulfilled` says which
// UNTILs (Promises.untils, in this order) were not promised, or come about.
//
// Of all sets of promises that a move could make only those matter that no other is better than: a set is better if it
// promises less and fulfils no less. For fewer promises allow the same moves later on, with no less fulfilled.
//
// There may be exponentially many such sets, so the moves of a state are looked for within a budget.
#ifndef HEDDLE_EXPLICIT_LTL_LTL_AUTOMATON_H
#define HEDDLE_EXPLICIT_LTL_LTL_AUTOMATON_H

#include "base/budget.h"
#include "base/map.h"
#include "ltl/promises.h"

enum { MOST_PROMISES = 64 };

typedef struct AutomatonMove {
  uint32_t to;
  uint64_t fulfilled;
} AutomatonMove;
VECTOR(AutomatonMoveVector, AutomatonMove);

typedef struct LtlAutomaton {
  Promises promises;
  U64Vector sets; // per state but 0: its promises; state s is sets[s]
  Map state_of;
  Map moves_of;              // (state, index of the letter) -> index in `ranges`
  U64Vector ranges;          // first move << 32 | count
  AutomatonMoveVector moves; // of all states and letters asked for
  U64Vector *ways; // per formula, if `has_ways`: the smallest sets with which a step keeps it on `ways_letter`
  ByteVector has_ways;
  U32Vector with_ways; // the formulas that have them
  uint64_t ways_letter;
  Budget *budget; // or NULL: as long as it takes
  Account *account;
} LtlAutomaton;

// False: the formula has too many promises. To be freed in either case.
bool ltl_automaton_init(LtlAutomaton *automaton, const LtlStore *store, Ltl formula, Account *account);
void ltl_automaton_free(LtlAutomaton *automaton);
// The moves of a state on a letter, as indices in `moves`. `index`: a number for the letter. False: the budget is
// exhausted before they are known. What was known once stays so.
bool ltl_automaton_moves(LtlAutomaton *automaton, uint32_t state, uint64_t letter, uint32_t index, uint32_t *first,
                         uint32_t *count);

#endif
