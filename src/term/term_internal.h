// Inside the term room: the representation of terms, and what the files of this room share.
//
// A term is a node of 24 bytes in one growing array; its handle is the index. Nodes are found again through an
// open-addressing table of handles. Node 0 is no term, node 1 is false, node 2 is true. Children always have smaller
// handles than their parent, so handles are a topological order.
//
// Simplification. Each `simplify_*` function gets operands that are not all constant and that are in canonical order,
// and answers with an equivalent term, or TERM_NONE when no rule applies (the caller then makes the plain node). Rules
// call the public constructors for what they build; `nesting` bounds how deep that recursion goes, because a rule that
// walks down a chain would otherwise use stack in proportion to the chain, and `effort` how much is tried for one outer
// call, because a rule that goes into two operands could take exponential time on shared terms. A plain node is always
// right.
//
// Sizes: a rule may not answer with a larger term. Size is the number of nodes seen as a tree; NOT is free, as it is
// for solvers.
#ifndef HEDDLE_TERM_TERM_INTERNAL_H
#define HEDDLE_TERM_TERM_INTERNAL_H

#include "base/arena.h"
#include "term/term.h"

enum { FLAG_FLOATING_POINT = 1, FLAG_ARRAY = 2 };

enum { MAX_NESTING = 24, MAX_EFFORT = 400 };

typedef struct TermNode {
  uint8_t op;
  uint8_t flags;
  uint16_t unused;
  Sort sort;
  // EXTRACT keeps high and low in words 1 and 2. CONSTANT keeps its value in words 0 and 1, or for more than 64 bits an
  // index of `wide` in word 0. VARIABLE keeps its index in word 0.
  uint32_t words[3];
  uint32_t hash;
} TermNode;

VECTOR(NodeVector, TermNode);
VECTOR(BitsVector, Bits);

// Marks for traversals: entry t is valid if stamps[t] is the epoch, so that a traversal costs nothing to begin.
typedef struct Scratch {
  uint32_t *stamps, *values;
  size_t capacity;
  uint32_t epoch;
  bool busy; // a traversal uses it now; another one nested in it (by a callback) makes its own
} Scratch;

struct TermStore {
  NodeVector nodes;
  BitsVector wide;
  TermVector variables;
  StringVector names;
  Arena arena;
  Term *table; // power of two, at most half full
  size_t table_capacity, table_count;
  unsigned nesting, effort;
  Scratch *scratch; // behind a pointer: read-only operations on terms use it too
  Account *account;
  struct Inspection *inspection; // or NULL
};

// --- nodes ---
static inline const TermNode *node_of(const TermStore *store, Term t) {
  assert(t != TERM_NONE && t < store->nodes.count);
  return &store->nodes.data[t];
}
static inline TermOperator operator_of(const TermStore *store, Term t) { return (TermOperator)node_of(store, t)->op; }
static inline bool is_operator(const TermStore *store, Term t, TermOperator op) { return operator_of(store, t) == op; }
static inline Term child_of(const TermStore *store, Term t, unsigned i) { return node_of(store, t)->words[i]; }
static inline unsigned width_of(const TermStore *store, Term t) {
  Sort sort = node_of(store, t)->sort;
  assert(!sort_is_array(sort));
  return sort;
}
static inline bool is_constant(const TermStore *store, Term t) { return is_operator(store, t, TERM_CONSTANT); }
static inline bool is_constant_value(const TermStore *store, Term t, Bits value) {
  return is_constant(store, t) && term_constant_value(store, t) == value;
}
static inline bool is_zero(const TermStore *store, Term t) { return is_constant_value(store, t, 0); }
static inline bool is_all_ones(const TermStore *store, Term t) {
  return is_constant(store, t) && term_constant_value(store, t) == bits_mask(width_of(store, t));
}
// `t` is `op` with a constant as its right operand.
static inline bool has_constant_right(const TermStore *store, Term t, TermOperator op) {
  return is_operator(store, t, op) && is_constant(store, child_of(store, t, 1));
}
static inline unsigned arity_of_operator(TermOperator op) {
  static const uint8_t arities[] = {
#define X(name, text, arity) arity,
      TERM_OPERATORS(X)
#undef X
  };
  return arities[op];
}

static inline Bits sign_bit(unsigned width) { return (Bits)1 << (width - 1); }
static inline bool is_negative(unsigned width, Bits value) { return value >> (width - 1) & 1; }
static inline __int128 as_signed(unsigned width, Bits value) {
  Bits sign = sign_bit(width);
  return (__int128)((value ^ sign) - sign);
}

// The plain node, found or made; no simplification. Unused words must be 0.
Term make_node(TermStore *store, TermOperator op, Sort sort, uint32_t a, uint32_t b, uint32_t c);
// The plain node if it exists, else TERM_NONE.
Term find_node(const TermStore *store, TermOperator op, Sort sort, uint32_t a, uint32_t b, uint32_t c);

// --- simplification, by topic ---
bool operator_commutes(TermOperator op);

Term simplify_not(TermStore *store, Term a);
Term simplify_and(TermStore *store, Term a, Term b);
Term simplify_or(TermStore *store, Term a, Term b);
Term simplify_xor(TermStore *store, Term a, Term b);
// concat(h, 0) joined with an extended term that fits below h; for OR, ADD.
Term join_halves(TermStore *store, Term a, Term b);
bool are_complements(const TermStore *store, Term a, Term b); // a is the bitwise complement of b, as far as seen
// Conjunction (op is AND) or disjunction (OR) of two comparisons of the same terms, or of one term with constants.
Term simplify_ranges(TermStore *store, TermOperator op, Term a, Term b);

Term simplify_ite(TermStore *store, Term condition, Term a, Term b);

Term simplify_neg(TermStore *store, Term a);
Term simplify_add(TermStore *store, Term a, Term b);
Term simplify_sub(TermStore *store, Term a, Term b);
Term simplify_mul(TermStore *store, Term a, Term b);
Term simplify_division(TermStore *store, TermOperator op, Term a, Term b); // UDIV UREM SDIV SREM SMOD
Term simplify_shift(TermStore *store, TermOperator op, Term a, Term b);    // SHL LSHR ASHR ROTL ROTR
Term simplify_overflow(TermStore *store, TermOperator op, Term a, Term b); // UADDO .. SDIVO

Term simplify_eq(TermStore *store, Term a, Term b);
Term simplify_comparison(TermStore *store, TermOperator op, Term a, Term b); // ULT ULE SLT SLE

Term simplify_extract(TermStore *store, Term a, unsigned high, unsigned low);
Term simplify_concat(TermStore *store, Term a, Term b);
Term simplify_extension(TermStore *store, TermOperator op, Term a, unsigned width); // ZEXT SEXT

Term simplify_select(TermStore *store, Term array, Term index);
Term simplify_store(TermStore *store, Term array, Term index, Term element);

// --- floating point part of term_apply ---
Bits apply_floating_point(TermOperator op, unsigned width, unsigned child_width, const Bits *children);

// --- marks for traversals ---
typedef struct Memo {
  const TermStore *store;
  bool shared; // uses the store's scratch; otherwise `map`
  Map map;
} Memo;

void memo_begin(Memo *memo, const TermStore *store);
void memo_end(Memo *memo);
static inline bool memo_get(const Memo *memo, Term t, uint32_t *value) {
  if (memo->shared) {
    const Scratch *scratch = memo->store->scratch;
    if (scratch->stamps[t] != scratch->epoch) return false;
    *value = scratch->values[t];
    return true;
  }
  uint64_t found;
  if (!map_get(&memo->map, t, &found)) return false;
  *value = (uint32_t)found;
  return true;
}
static inline bool memo_has(const Memo *memo, Term t) {
  uint32_t value;
  return memo_get(memo, t, &value);
}
static inline void memo_put(Memo *memo, Term t, uint32_t value) {
  if (memo->shared) {
    Scratch *scratch = memo->store->scratch;
    scratch->stamps[t] = scratch->epoch;
    scratch->values[t] = value;
  } else {
    map_put(&memo->map, t, value);
  }
}

#endif
