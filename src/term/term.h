// Terms: hash-consed bit-vector and array expressions.
//
// A Term is a 32-bit handle into a TermStore; equal terms have equal handles, so equality is `==`. Handle 0
// (TERM_NONE) is no term. Terms are immutable and live as long as their store.
//
// Sorts. A bit-vector of 1 to 128 bits, or an array from bit-vectors to bit-vectors. Booleans are bit-vectors of one
// bit: comparisons give width 1, and `and`/`or`/`not` on width 1 are the connectives. (SMT-LIB output and Z3 get real
// booleans where the operator asks for them.)
//
// Semantics are those of SMT-LIB's QF_ABV: division by zero gives all ones (udiv) or the dividend (urem); shifts by at
// least the width give 0 or the sign. The front end, which lowers C, checks whether C permits the operation.
// Floating-point operators work on IEEE 754 bit patterns of 32 or 64 bits, rounding to nearest even. Conversions from
// floating point to integers truncate; out of range they give 0. A NaN result is the canonical quiet NaN
// (0x7fc00000 / 0x7ff8000000000000), so that evaluation is a function.
//
// Constructors simplify: constants are folded, commutative operands are ordered, identities, extension/truncation
// chains, ite and comparison patterns are rewritten. A constructor never returns a term larger than its naive form
// (counting nodes as of a tree, NOT being free).
//
// Limits: at most 2^32-1 terms and variables in a store.
#ifndef HEDDLE_TERM_TERM_H
#define HEDDLE_TERM_TERM_H

#include "base/map.h"
#include "base/text.h"
#include "base/vector.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t Term;
#define TERM_NONE ((Term)0)
VECTOR(TermVector, Term);

// A constant of up to 128 bits; bits at and above the width are zero.
typedef unsigned __int128 Bits;

// A sort packed in 32 bits. Bit-vectors: the width. Arrays: built by `sort_array`.
typedef uint32_t Sort;

static inline Sort sort_bits(unsigned width) {
  assert(width >= 1 && width <= 128);
  return width;
}
static inline Sort sort_array(unsigned index_width, unsigned element_width) {
  assert(index_width >= 1 && index_width <= 128 && element_width >= 1 && element_width <= 128);
  return 0x80000000u | index_width << 16 | element_width;
}
static inline bool sort_is_array(Sort sort) { return sort >> 31; }
static inline unsigned sort_index_width(Sort sort) {
  assert(sort_is_array(sort));
  return sort >> 16 & 0x7fff;
}
static inline unsigned sort_element_width(Sort sort) {
  assert(sort_is_array(sort));
  return sort & 0xffff;
}

// X(NAME, name in SMT-LIB or in our own output, number of term children)
#define TERM_OPERATORS(X)                                                                                              \
  X(CONSTANT, "const", 0) /* bits */                                                                                   \
  X(VARIABLE, "var", 0)   /* fresh identity, name, sort */                                                             \
  X(NOT, "bvnot", 1)                                                                                                   \
  X(AND, "bvand", 2)                                                                                                   \
  X(OR, "bvor", 2)                                                                                                     \
  X(XOR, "bvxor", 2)                                                                                                   \
  X(NEG, "bvneg", 1)                                                                                                   \
  X(ADD, "bvadd", 2)                                                                                                   \
  X(SUB, "bvsub", 2)                                                                                                   \
  X(MUL, "bvmul", 2)                                                                                                   \
  X(UDIV, "bvudiv", 2)                                                                                                 \
  X(UREM, "bvurem", 2)                                                                                                 \
  X(SDIV, "bvsdiv", 2)                                                                                                 \
  X(SREM, "bvsrem", 2)                                                                                                 \
  X(SMOD, "bvsmod", 2)                                                                                                 \
  X(SHL, "bvshl", 2)                                                                                                   \
  X(LSHR, "bvlshr", 2)                                                                                                 \
  X(ASHR, "bvashr", 2)                                                                                                 \
  X(ROTL, "rotl", 2) /* by a term, modulo the width */                                                                 \
  X(ROTR, "rotr", 2)                                                                                                   \
  X(CONCAT, "concat", 2)    /* high, low */                                                                            \
  X(EXTRACT, "extract", 1)  /* parameters: high bit, low bit */                                                        \
  X(ZEXT, "zero_extend", 1) /* to the term's width */                                                                  \
  X(SEXT, "sign_extend", 1)                                                                                            \
  X(EQ, "=", 2) /* bit-vectors or arrays */                                                                            \
  X(ULT, "bvult", 2)                                                                                                   \
  X(ULE, "bvule", 2)                                                                                                   \
  X(SLT, "bvslt", 2)                                                                                                   \
  X(SLE, "bvsle", 2)                                                                                                   \
  X(ITE, "ite", 3)                                                                                                     \
  X(NEGO, "bvnego", 1) /* overflow predicates, width 1 */                                                              \
  X(UADDO, "bvuaddo", 2)                                                                                               \
  X(SADDO, "bvsaddo", 2)                                                                                               \
  X(UMULO, "bvumulo", 2)                                                                                               \
  X(SMULO, "bvsmulo", 2)                                                                                               \
  X(USUBO, "bvusubo", 2)                                                                                               \
  X(SSUBO, "bvssubo", 2)                                                                                               \
  X(SDIVO, "bvsdivo", 2)                                                                                               \
  X(SELECT, "select", 2)           /* array, index */                                                                  \
  X(STORE, "store", 3)             /* array, index, element */                                                         \
  X(CONST_ARRAY, "const-array", 1) /* element everywhere; sort of the term */                                          \
  X(FP_ADD, "fp.add", 2)                                                                                               \
  X(FP_SUB, "fp.sub", 2)                                                                                               \
  X(FP_MUL, "fp.mul", 2)                                                                                               \
  X(FP_DIV, "fp.div", 2)                                                                                               \
  X(FP_REM, "fmod", 2) /* C's fmod: evaluated natively; no solver has it */                                            \
  X(FP_SQRT, "fp.sqrt", 1)                                                                                             \
  X(FP_EQ, "fp.eq", 2)                                                                                                 \
  X(FP_LT, "fp.lt", 2)                                                                                                 \
  X(FP_LE, "fp.leq", 2)                                                                                                \
  X(FP_IS_NAN, "fp.isNaN", 1)                                                                                          \
  X(FP_TO_FP, "fp.to_fp", 1)    /* 32 <-> 64, to the term's width */                                                   \
  X(FP_TO_SINT, "fp.to_sbv", 1) /* to the term's width, truncating */                                                  \
  X(FP_TO_UINT, "fp.to_ubv", 1)                                                                                        \
  X(FP_FROM_SINT, "fp.from_sbv", 1)                                                                                    \
  X(FP_FROM_UINT, "fp.from_ubv", 1)

typedef enum TermOperator {
#define X(name, text, arity) TERM_##name,
  TERM_OPERATORS(X)
#undef X
      TERM_OPERATOR_COUNT
} TermOperator;

typedef struct TermStore TermStore;

TermStore *term_store_new(Account *account);
void term_store_free(TermStore *store);
// What is done with questions about the terms of this store beside answering them: see solver/inspection.h. NULL, as at
// the start: nothing. Not owned; it must outlive the solvers over this store.
struct Inspection;
void term_store_inspect(TermStore *store, struct Inspection *inspection);
struct Inspection *term_store_inspection(const TermStore *store);
size_t term_store_size(const TermStore *store);           // handles are 1 .. size
size_t term_store_variable_count(const TermStore *store); // variable indices are 0 .. count-1

// --- inspection ---
TermOperator term_operator(const TermStore *store, Term t);
unsigned term_arity(const TermStore *store, Term t);
Term term_child(const TermStore *store, Term t, unsigned i);
Sort term_sort(const TermStore *store, Term t);
unsigned term_width(const TermStore *store, Term t);                 // asserts a bit-vector
unsigned term_parameter(const TermStore *store, Term t, unsigned i); // EXTRACT: 0 high, 1 low
bool term_is_constant(const TermStore *store, Term t);               // a bit-vector constant
Bits term_constant_value(const TermStore *store, Term t);            // asserts term_is_constant
bool term_is_true(const TermStore *store, Term t);                   // the constant 1 of width 1
bool term_is_false(const TermStore *store, Term t);
uint32_t term_variable_index(const TermStore *store, Term t); // asserts TERM_VARIABLE
Term term_variable_by_index(const TermStore *store, uint32_t index);
const char *term_variable_name(const TermStore *store, Term t);
const char *term_operator_name(TermOperator op);
bool term_has_floating_point(const TermStore *store, Term t); // anywhere below
bool term_has_array(const TermStore *store, Term t);

// --- construction ---
Term term_constant(TermStore *store, unsigned width, Bits value); // value is cut to the width
Term term_true(TermStore *store);
Term term_false(TermStore *store);
Term term_bool(TermStore *store, bool value);
// A new variable, different from every other variable even if the name is the same. The name is copied.
Term term_variable(TermStore *store, Sort sort, const char *name);
Term term_unary(TermStore *store, TermOperator op, Term a); // NOT NEG NEGO FP_SQRT FP_IS_NAN
Term term_binary(TermStore *store, TermOperator op, Term a, Term b);
Term term_ite(TermStore *store, Term condition, Term then_term, Term else_term);
Term term_extract(TermStore *store, Term a, unsigned high, unsigned low);
Term term_zero_extend(TermStore *store, Term a, unsigned width); // width >= current; equal is the identity
Term term_sign_extend(TermStore *store, Term a, unsigned width);
Term term_resize_unsigned(TermStore *store, Term a, unsigned width);          // truncate or zero-extend
Term term_resize_signed(TermStore *store, Term a, unsigned width);            // truncate or sign-extend
Term term_convert(TermStore *store, TermOperator op, Term a, unsigned width); // the FP_ conversions
Term term_select(TermStore *store, Term array, Term index);
Term term_store_element(TermStore *store, Term array, Term index, Term element);
Term term_constant_array(TermStore *store, Sort sort, Term element);
// Rebuilds an operator from explicit children (and sort/parameters), through the simplifying constructors.
Term term_rebuild(TermStore *store, Term like, const Term *children);

// Short forms for the common cases.
Term term_not(TermStore *store, Term a);
Term term_and(TermStore *store, Term a, Term b);
Term term_or(TermStore *store, Term a, Term b);
Term term_implies(TermStore *store, Term a, Term b);
Term term_eq(TermStore *store, Term a, Term b);
Term term_ne(TermStore *store, Term a, Term b);
Term term_add(TermStore *store, Term a, Term b);
Term term_sub(TermStore *store, Term a, Term b);
Term term_add_constant(TermStore *store, Term a, Bits value);
Term term_is_nonzero(TermStore *store, Term a); // width 1

// --- traversal ---
// Calls `visit` once for each variable in `t`, in a deterministic order.
void term_each_variable(const TermStore *store, Term t, void (*visit)(void *context, Term variable), void *context);
// Calls `visit` once for each ite in `t`, with its condition.
void term_each_condition(const TermStore *store, Term t, void (*visit)(void *context, Term condition), void *context);
bool term_mentions(const TermStore *store, Term t, Term variable);
// Appends the operands of a conjunction, also of nested ones.
void term_list_conjuncts(const TermStore *store, Term formula, TermVector *out);
size_t term_dag_size(const TermStore *store, Term t);

// Replaces variables (or any subterms) by the map's terms, at once; `map` goes from Term to Term. `cache` may be
// shared between calls with the same map and must then be kept; NULL for none.
Term term_substitute(TermStore *store, Term t, const Map *map, Map *cache);

// --- evaluation ---
// The value of a bit-vector term, with `value_of` giving the values of bit-vector variables. Array variables read as
// all zero unless `element_of` is given. Equality of arrays that grow from different variables looks at the indices
// stored to and at the first 2^16.
typedef struct TermValuation {
  Bits (*value_of)(void *context, Term variable);
  Bits (*element_of)(void *context, Term array_variable, Bits index); // may be NULL
  void *context;
} TermValuation;
Bits term_evaluate(const TermStore *store, Term t, const TermValuation *valuation);

// One operator on constants: the single place that defines the meaning of each operator (constructors fold with it,
// evaluation uses it, the concrete interpreter is tested against it). `widths` are those of the children.
// Not for CONSTANT, VARIABLE and the array operators.
Bits term_apply(TermOperator op, unsigned width, const unsigned *child_widths, unsigned high, unsigned low,
                const Bits *children);

// --- printing ---
// C syntax over variable names, e.g. `x + 1 <= y`; minimal parentheses; shared subterms are repeated.
void term_print_c(const TermStore *store, Term t, Text *out);
// One SMT-LIB expression with `let` for shared subterms. Width-1 terms print as Bool at the top if `as_bool`.
void term_print_smtlib(const TermStore *store, Term t, bool as_bool, Text *out);
// `(declare-const ...)` for each variable of `t` that is not in `declared` yet (a set of variable indices).
void term_print_declarations(const TermStore *store, Term t, Map *declared, Text *out);
// The name of a variable as SMT-LIB symbol: |name!index|.
void term_print_symbol(const TermStore *store, Term variable, Text *out);

static inline Bits bits_mask(unsigned width) { return width >= 128 ? ~(Bits)0 : ((Bits)1 << width) - 1; }

#endif
