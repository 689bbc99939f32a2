// Bit-blasting: bit-vector terms as words of an and-inverter graph.
//
// A Bitblaster turns terms of one store into literals of one graph and remembers them for as long as it lives, so that
// a subterm is built once however many queries mention it. A variable becomes as many new inputs as it has bits.
//
// Arrays are eliminated: a read over a write, a constant array or an ite of arrays is split into cases; a read of an
// array variable is a word of new inputs, with a constraint for each earlier read of the same array (equal indices,
// equal elements). These constraints are collected in `constraints`: the user of the graph has to make each literal
// there true. They only say what an array is, so they may be asserted for ever. The number of constraints grows
// with the square of the reads per array variable.
//
// Not supported: floating point, and equality between arrays (`bitblast_supports`).
//
// The blaster owns its tables; the store and the graph belong to the caller and must outlive it. Terms may be of any
// depth: nothing here recurses.
#ifndef HEDDLE_SOLVER_BITBLAST_H
#define HEDDLE_SOLVER_BITBLAST_H

#include "base/map.h"
#include "solver/aig.h"
#include "solver/cone.h"
#include "term/term.h"

// A read of an array variable.
typedef struct BitblastRead {
  Term array, index;
  uint32_t index_at, element_at; // where the words start in `literals`
  uint32_t previous;             // the read before it of the same array, plus one; 0: none
} BitblastRead;
VECTOR(BitblastReadVector, BitblastRead);

// An element of an array variable in a model.
typedef struct BitblastElement {
  Term array;
  Bits index, element;
} BitblastElement;
VECTOR(BitblastElementVector, BitblastElement);

typedef struct Bitblaster {
  const TermStore *store;
  Aig *aig;
  Map cache;                // a term, or array << 32 | index for a read, to the start of its word in `literals`
  U32Vector literals;       // the words, one after the other
  TermVector variables;     // bit-vector variables with a word, in order of appearance
  BitblastReadVector reads; // of array variables
  Map last_read;            // array variable to its last read, plus one
  U32Vector constraints;    // see above; grows only
  ConeCheck supported;      // terms without equalities between arrays
  U64Vector stack;          // keys of `cache` still to be built
  Account *account;
} Bitblaster;

void bitblast_init(Bitblaster *blaster, const TermStore *store, Aig *aig, Account *account);
void bitblast_free(Bitblaster *blaster);

bool bitblast_supports(Bitblaster *blaster, Term t);
// The word of a supported bit-vector term, lowest bit first; valid until the next call.
const AigLiteral *bitblast_term(Bitblaster *blaster, Term t);
// The literal of a term of width 1.
AigLiteral bitblast_bool(Bitblaster *blaster, Term t);
// The word if the term was built already, else NULL.
const AigLiteral *bitblast_find(const Bitblaster *blaster, Term t);

// The array elements that were read, in the model that gives each input of the graph 0 or 1 by its index.
void bitblast_elements(const Bitblaster *blaster, const uint8_t *inputs, BitblastElementVector *elements);
// One of them; 0 if that element was never read.
Bits bitblast_element(const BitblastElementVector *elements, Term array, Bits index);

#endif
