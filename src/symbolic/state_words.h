// The words and bits of states that can matter.
//
// A word is a state variable that can matter, or a fresh variable of an edge. A variable can matter if a guard mentions
// it or if its value can flow into such a variable. A bit is *known* if it has the same value in all reachable states,
// by a fixpoint over the edges with the values 0, 1 and open; nothing needs to be built for known bits. The terms of
// edges (conditions, and the values that words get) are and-inverter graphs over the bits of words.
//
// A caller that represents states by bits gives numbers to the open ones: variables of decision diagrams, or latches.
//
// Left out are: edges that cannot be taken; the first steps of threads, which belong to their creation; and the updates
// of edges to goals and of edges that end the process. For infinite executions, errors are ends of the process. There
// the updates of such edges matter, because the state after them stays for ever; and all variables of the program's
// observations matter.
//
// Limits: floating-point and array terms have no bits. An edge with such a term is marked (EDGE_UNSUPPORTED).
#ifndef HEDDLE_SYMBOLIC_STATE_WORDS_H
#define HEDDLE_SYMBOLIC_STATE_WORDS_H

#include "base/budget.h"
#include "solver/bitblast.h"
#include "transition/transition.h"

enum { BIT_ZERO, BIT_ONE, BIT_OPEN };

typedef struct WordBit {
  uint32_t word;
  uint32_t variable; // if it is open: the number that the caller gave to it
  uint8_t known;     // BIT_ZERO, BIT_ONE, BIT_OPEN
} WordBit;
VECTOR(WordBitVector, WordBit);

typedef struct Word {
  Term variable;
  uint32_t first_bit; // in Words.bits; the lowest bit comes first
  uint32_t width;
  bool fresh;
} Word;
VECTOR(WordVector, Word);

enum { EDGE_TAKEN = 1, EDGE_CHANGES = 2, EDGE_UNSUPPORTED = 4 }; // it can be taken; its updates matter; it has no bits

typedef struct Words {
  const Transitions *transitions;
  TermStore *terms;
  bool infinite; // the words are for infinite executions
  WordVector words;
  WordBitVector bits;
  Map word_of; // variable -> word
  Aig aig;
  Bitblaster blaster;
  ByteVector edges;          // per edge: EDGE_ flags
  U32Vector bit_of_input;    // per input of the graph: its bit; NO_ID: none
  U32Vector bit_of_variable; // per number given to bits: the bit; NO_ID: it belongs to no bit of states
  uint32_t variable_count;   // how many numbers were given
  Account *account;
} Words;

// Returns NULL, or why the program has no representation by bits. The caller frees the words in either case.
const char *words_init(Words *w, const Transitions *transitions, bool infinite, Budget *budget, Account *account);
void words_free(Words *w);
// The word of a variable; NO_ID: it has none.
static inline uint32_t words_find(const Words *w, Term variable) {
  return (uint32_t)map_get_or(&w->word_of, variable, NO_ID);
}
static inline WordBit *words_bit(const Words *w, uint32_t word, uint32_t place) {
  assert(place < WordVector_at(&w->words, word)->width);
  return WordBitVector_at(&w->bits, WordVector_at(&w->words, word)->first_bit + place);
}
static inline const Update *words_update(const Words *w, const Transition *transition, uint32_t i) {
  assert(i < transition->update_count);
  return UpdateVector_at(&w->transitions->updates, transition->first_update + i);
}
// Does the term have bits? Floating-point numbers and arrays have none.
bool words_supports(const Words *w, Term t);
// The known bits of words as a formula, which holds in all reachable states.
Term words_facts(const Words *w);

#endif
