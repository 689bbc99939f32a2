// The search for an infinite execution that the automaton accepts, in the product of the graph of states and the
// automaton.
//
// In a state outside of sections the automaton reads the state and moves along with a step of some thread, or with none
// where the state goes on for ever. Inside sections it rests. A transition out of a state outside of sections carries
// marks:
//
//   fulfilled   the UNTILs, as the automaton says
//   unstopped   per thread: it moves, or the graph says so of the state
//   fair        per thread: it moves, or cannot
//
// An execution counts if it passes each mark infinitely often. One exists if and only if a strongly connected part of
// the product can be reached whose transitions have all marks together. That is found on the way (Couvreur 1999: depth
// first, parts are merged when a cycle closes, and their marks with them).
#ifndef HEDDLE_EXPLICIT_LTL_LTL_PRODUCT_H
#define HEDDLE_EXPLICIT_LTL_LTL_PRODUCT_H

#include "explicit/ltl/ltl_automaton.h"
#include "explicit/ltl/ltl_graph.h"

typedef struct Marks {
  uint64_t fulfilled, unstopped, fair;
} Marks;

typedef struct ProductRoot {
  uint32_t number; // of its first node
  Marks within;    // of transitions inside the part
  Marks into;      // of the transition that led to it
} ProductRoot;
VECTOR(ProductRootVector, ProductRoot);

typedef struct ProductFrame {
  uint32_t node, next; // next transition to follow
} ProductFrame;
VECTOR(ProductFrameVector, ProductFrame);

// A step of a path: who moves (NO_ID: nobody), and the state behind it.
typedef struct ProductStep {
  ThreadId thread;
  StateId to;
} ProductStep;
VECTOR(ProductStepVector, ProductStep);

typedef struct LtlProduct {
  LtlGraph *graph;
  LtlAutomaton *automaton;
  Marks required;
  RecordTable nodes; // key: state of the graph, state of the automaton; then its number (0: not visited; NO_ID: done)
  U32Vector live;    // visited and not done, in the order of their numbers
  ProductRootVector roots;
  ProductFrameVector frames;
  uint64_t transitions;
  Account *account;
} LtlProduct;

typedef enum ProductEnd { PRODUCT_EMPTY, PRODUCT_FOUND, PRODUCT_STOPPED } ProductEnd;

void ltl_product_init(LtlProduct *product, LtlGraph *graph, LtlAutomaton *automaton, bool fair, Account *account);
void ltl_product_free(LtlProduct *product);
ProductEnd ltl_product_search(LtlProduct *product, Budget *budget);
// After PRODUCT_FOUND: a way from the first state to a loop, and the loop, which begins outside of sections.
void ltl_product_lasso(LtlProduct *product, ProductStepVector *stem, ProductStepVector *loop);

#endif
