// The words and bits that decision diagrams see of states.
//
// A word is a state variable that can matter, or a fresh variable of an edge. What can matter: what a guard mentions,
// and what flows into that. Bits that have the same value in all states, by a fixpoint over the edges with the values 0,
// 1 and open, are *known* and have no variable in the diagrams. Each other bit of a state variable has two: its current
// one, and behind it the next one, for what it becomes. Bits of fresh variables have one; edges share them.
//
// The order of the variables is fixed (bdd_order.c): words that are compared, added or copied to each other form a
// cluster, whose bits of the same place are neighbours, the highest first; clusters follow in the order in which the
// edges mention them.
//
// Edges that cannot be taken, the first steps of threads (which belong to their creation) and what goals and ends of the
// process would change are left out.
//
// Limits: floating-point and array terms have no bits. An edge with one is marked (EDGE_UNSUPPORTED).
#ifndef HEDDLE_REACH_BDD_WORDS_H
#define HEDDLE_REACH_BDD_WORDS_H

#include "base/budget.h"
#include "reach/transition.h"
#include "solver/bitblast.h"

enum { BIT_ZERO, BIT_ONE, BIT_OPEN };

typedef struct BddBit {
  uint32_t word;
  uint32_t variable; // of the diagrams, if it is open; the next one of a state variable is behind it
  uint8_t known;     // BIT_ZERO, BIT_ONE, BIT_OPEN
} BddBit;
VECTOR(BddBitVector, BddBit);

typedef struct BddWord {
  Term variable;
  uint32_t first_bit; // in BddWords.bits, the lowest first
  uint32_t width;
  bool fresh;
} BddWord;
VECTOR(BddWordVector, BddWord);

enum { EDGE_TAKEN = 1, EDGE_CHANGES = 2, EDGE_UNSUPPORTED = 4 }; // CHANGES: its updates matter

typedef struct BddWords {
  const Transitions *transitions;
  TermStore *terms;
  BddWordVector words;
  BddBitVector bits;
  Map word_of; // variable -> word
  Aig aig;
  Bitblaster blaster;
  ByteVector edges;          // per edge: EDGE_ flags
  U32Vector bit_of_input;    // per input of the graph: its bit; NO_ID: none
  U32Vector bit_of_variable; // per variable of the diagrams: its bit; NO_ID: it is shared by fresh variables
  uint32_t variable_count;
  Account *account;
} BddWords;

// NULL, or why the program is beyond decision diagrams. To be freed in either case.
const char *bdd_words_init(BddWords *w, const Transitions *transitions, Budget *budget, Account *account);
void bdd_words_free(BddWords *w);
static inline uint32_t bdd_word_of(const BddWords *w, Term variable) {
  return (uint32_t)map_get_or(&w->word_of, variable, NO_ID);
}
static inline BddBit *bdd_word_bit(const BddWords *w, uint32_t word, uint32_t place) {
  return BddBitVector_at(&w->bits, BddWordVector_at(&w->words, word)->first_bit + place);
}
static inline const Update *bdd_update(const BddWords *w, const Transition *transition, uint32_t i) {
  return UpdateVector_at(&w->transitions->updates, transition->first_update + i);
}
// What is known of the words that can matter, as a formula; it holds in all states that can be reached.
Term bdd_words_facts(const BddWords *w);

// For bdd_words_init: gives the open bits their variables.
void bdd_order_assign(BddWords *w);

#endif
