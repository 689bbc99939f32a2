// The search for an infinite execution that the automaton accepts, in the product of the graph of states and the
// automaton.
//
// In a state outside of sections, the automaton reads the state and moves together with a step of some thread; if the
// state repeats for ever, it moves without a step. In a state inside a section the automaton does not move. A
// transition out of a state outside of sections carries marks:
//
//   fulfilled   the UNTILs that the automaton's move fulfils
//   unstopped   the threads that take the step or are not disabled for ever in the state
//   fair        the threads that take the step or cannot take one
//
// An execution counts if it passes each required mark infinitely often. One exists if and only if some strongly
// connected part of the product can be reached whose transitions together have all required marks. The search finds
// such a part while it explores (Couvreur 1999): it goes depth first, and when a cycle closes, the parts on it are
// merged together with their marks.
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

// A step of a path: the thread that takes it (NO_ID: none), and the state after it.
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
