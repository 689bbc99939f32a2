// Formulas of linear temporal logic over atoms, hash-consed and in negation normal form.
//
// A formula is a number in its store; equal formulas have equal numbers. The constructors simplify a little (constants,
// double operands) and push negations down to the atoms, so that what is stored has only the operators below:
//
//   G a = false R a      F a = true U a      a W b = b R (a || b)
//
// Formulas share their parts: a chain of `<->` has as many nodes as operators, but is exponentially long when it is
// written out. So walks go over nodes, not over paths. Some recurse as deep as a formula is nested; the caller that
// builds formulas keeps that depth small (the parser does: parse.h).
//
// Atoms are numbers; the caller knows what they mean.
#ifndef HEDDLE_LTL_FORMULA_H
#define HEDDLE_LTL_FORMULA_H

#include "base/map.h"
#include "base/text.h"
#include "base/vector.h"

typedef uint32_t Ltl;
#define LTL_NONE UINT32_MAX

typedef enum LtlOperator {
  LTL_FALSE,
  LTL_TRUE,
  LTL_ATOM,     // `left` is its number
  LTL_NOT_ATOM, // the same
  LTL_AND,
  LTL_OR,
  LTL_NEXT,   // of `left`
  LTL_UNTIL,  // `right` holds at some time, and `left` holds until then
  LTL_RELEASE // `right` holds until and including the time at which `left` holds, or for ever
} LtlOperator;

typedef struct LtlNode {
  LtlOperator kind;
  uint32_t left, right;
} LtlNode;
VECTOR(LtlNodeVector, LtlNode);

typedef struct LtlStore {
  LtlNodeVector nodes; // operands before the nodes that are made of them
  U32Vector negations; // per node: its negation, or LTL_NONE until it is asked for
  Map unique;
} LtlStore;

void ltl_store_init(LtlStore *store, Account *account);
void ltl_store_free(LtlStore *store);

Ltl ltl_true(const LtlStore *store);
Ltl ltl_false(const LtlStore *store);
Ltl ltl_atom(LtlStore *store, uint32_t atom);
Ltl ltl_not(LtlStore *store, Ltl a);
Ltl ltl_and(LtlStore *store, Ltl a, Ltl b);
Ltl ltl_or(LtlStore *store, Ltl a, Ltl b);
Ltl ltl_implies(LtlStore *store, Ltl a, Ltl b);
Ltl ltl_equal(LtlStore *store, Ltl a, Ltl b);
Ltl ltl_next(LtlStore *store, Ltl a);
Ltl ltl_until(LtlStore *store, Ltl a, Ltl b);
Ltl ltl_release(LtlStore *store, Ltl a, Ltl b);
Ltl ltl_weak_until(LtlStore *store, Ltl a, Ltl b);
Ltl ltl_finally(LtlStore *store, Ltl a);
Ltl ltl_globally(LtlStore *store, Ltl a);
// A chain of operands under an associative operator (and, or, equal), as a tree of least depth. At least one operand;
// the array is overwritten.
Ltl ltl_chain(LtlStore *store, Ltl (*combine)(LtlStore *store, Ltl a, Ltl b), Ltl *operands, size_t count);

static inline const LtlNode *ltl_node(const LtlStore *store, Ltl a) { return LtlNodeVector_at(&store->nodes, a); }
// Marks the formulas that `a` is made of, itself included: a byte for each formula of the store up to `a`.
void ltl_mark_parts(const LtlStore *store, Ltl a, ByteVector *parts);
// Does the formula distinguish executions that differ only in how often a state is repeated? (It has a NEXT.)
bool ltl_has_next(const LtlStore *store, Ltl a);
// The formula in the syntax of parse.h; atoms by their names. Shared parts are repeated: for small formulas, as in
// tests.
void ltl_print(const LtlStore *store, Ltl a, const char *const *atoms, Text *out);

// --- words ---

// An infinite word: positions 0 .. length-1, and then again from `loop` on. Bit k of a letter: atom k holds.
typedef struct LtlWord {
  const uint64_t *letters;
  uint32_t length, loop;
} LtlWord;

// Does the word satisfy the formula? By the definition of the operators, for all positions at once: slow and plain. At
// most 64 atoms.
bool ltl_holds(const LtlStore *store, Ltl a, const LtlWord *word);

#endif
