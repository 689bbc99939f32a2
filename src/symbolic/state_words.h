// The words and bits of states that can matter.
//
// A word is a state variable that can matter, or a fresh variable of an edge. What can matter: what a guard mentions,
// and what flows into that. Bits that have the same value in all states, by a fixpoint over the edges with the values 0,
// 1 and open, are *known*: nothing needs to be built for them. Terms of edges are and-inverter graphs over the bits of
// words: conditions, and what words become.
//
// Whoever represents states by bits gives the open ones numbers: variables of decision diagrams, or latches.
//
// Edges that cannot be taken, the first steps of threads (which belong to their creation) and what goals and ends of the
// process would change are left out. For infinite executions, errors are ends of the process; what these change matters,
// because the state after it goes on for ever, and so does what the program's observations mention.
//
// Limits: floating-point and array terms have no bits. An edge with one is marked (EDGE_UNSUPPORTED).
#ifndef HEDDLE_SYMBOLIC_STATE_WORDS_H
#define HEDDLE_SYMBOLIC_STATE_WORDS_H

#include "base/budget.h"
#include "solver/bitblast.h"
#include "transition/transition.h"

enum { BIT_ZERO, BIT_ONE, BIT_OPEN };

typedef struct WordBit {
  uint32_t word;
  uint32_t variable; // if it is open: its number, for whoever numbers bits
  uint8_t known;     // BIT_ZERO, BIT_ONE, BIT_OPEN
} WordBit;
VECTOR(WordBitVector, WordBit);

typedef struct Word {
  Term variable;
  uint32_t first_bit; // in Words.bits, the lowest first
  uint32_t width;
  bool fresh;
} Word;
VECTOR(WordVector, Word);

enum { EDGE_TAKEN = 1, EDGE_CHANGES = 2, EDGE_UNSUPPORTED = 4 }; // CHANGES: its updates matter

typedef struct Words {
  const Transitions *transitions;
  TermStore *terms;
  bool infinite; // executions
  WordVector words;
  WordBitVector bits;
  Map word_of; // variable -> word
  Aig aig;
  Bitblaster blaster;
  ByteVector edges;          // per edge: EDGE_ flags
  U32Vector bit_of_input;    // per input of the graph: its bit; NO_ID: none
  U32Vector bit_of_variable; // per number given to bits: the bit; NO_ID: no bit of states has it
  uint32_t variable_count;   // numbers given
  Account *account;
} Words;

// NULL, or why the program is beyond bits. To be freed in either case.
const char *words_init(Words *w, const Transitions *transitions, bool infinite, Budget *budget, Account *account);
void words_free(Words *w);
static inline uint32_t words_find(const Words *w, Term variable) {
  return (uint32_t)map_get_or(&w->word_of, variable, NO_ID);
}
static inline WordBit *words_bit(const Words *w, uint32_t word, uint32_t place) {
  return WordBitVector_at(&w->bits, WordVector_at(&w->words, word)->first_bit + place);
}
static inline const Update *words_update(const Words *w, const Transition *transition, uint32_t i) {
  return UpdateVector_at(&w->transitions->updates, transition->first_update + i);
}
// Has the term bits? Floating-point numbers and arrays have none.
bool words_supports(const Words *w, Term t);
// What is known of the words that can matter, as a formula; it holds in all states that can be reached.
Term words_facts(const Words *w);

#endif
