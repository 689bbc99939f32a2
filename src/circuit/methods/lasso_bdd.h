// The steps of a circuit as decision diagrams: what the method bdd for lassos knows of it, and the lasso it takes from there.
//
// Only latches count that what is asked depends on, be it by way of other latches: the *cone*. Each has two variables, its
// current and behind it its next one; each input in the cone has one. So a state is an assignment of current variables.
//
// The relation of steps is kept as a conjunction of clusters, which are multiplied one after the other; a variable is
// forgotten as soon as no later cluster has it. There is one order of clusters for images and one for preimages.
//
// Running out of nodes or time is a flaw (`translator.flaw`), after which no diagram can be relied upon. All Bdds that are
// returned are new references.
#ifndef HEDDLE_CIRCUIT_METHODS_LASSO_BDD_H
#define HEDDLE_CIRCUIT_METHODS_LASSO_BDD_H

#include "circuit/methods/lasso_method.h"
#include "symbolic/bdd_translate.h"

typedef struct LassoPass {
  U32Vector order;  // of clusters
  U32Vector forget; // per cluster in this order: the variables that are done with then, as a cube
  Bdd first;        // those in no cluster
} LassoPass;

typedef struct LassoSystem {
  const LassoQuestion *question;
  const Circuit *c;
  U32Vector leaf;     // per input of the graph: its variable; NO_ID: it is not in the cone
  U32Vector latches;  // the cone's, in the order of their variables
  uint32_t variables; // how many there are
  BddTranslator translator;
  Bdd always;         // the steps that are allowed, over current variables and inputs
  U32Vector just;     // per justice: the allowed steps in which it holds; one, of all of them, if none is asked for
  U32Vector clusters; // of the relation; it says nothing of `always`
  LassoPass forward, backward;
  BddRenaming *to_next, *to_current;
  size_t relation_nodes; // of clusters and conditions
  size_t reorder_at;     // so many nodes of them and of states
  double reorder_rate;   // seconds per node that the last reordering took
  uint32_t reorderings;
  Account *account;
} LassoSystem;

// The place of an input or latch among the inputs of the graph.
static inline uint32_t lasso_leaf_of(const LassoSystem *y, AigLiteral literal) {
  return aig_input_index(&y->c->aig, aig_node(literal));
}

// Finds the cone, and numbers its variables.
void lasso_system_find_cone(LassoSystem *y, bool whole);
// With all latches if the cone is `whole`; `most_nodes` is the limit of the node table (0: the usual one). To be freed
// in any case.
void lasso_system_init(LassoSystem *y, const LassoQuestion *question, bool whole, size_t most_nodes);
void lasso_system_free(LassoSystem *y); // and all diagrams
bool lasso_system_stopped(LassoSystem *y);

// States after and before those of a set, by steps in which the condition holds, which implies `always`.
Bdd lasso_system_after(LassoSystem *y, Bdd states, Bdd condition);
Bdd lasso_system_before(LassoSystem *y, Bdd states, Bdd condition);
// From here on, only steps from these states count.
void lasso_system_care(LassoSystem *y, Bdd states);
// A better order of variables, if the relation and these states have many nodes, and if there is time for it.
void lasso_system_reorder(LassoSystem *y, Bdd states);

// One state of a set that is not empty, or the one before the first step.
Bdd lasso_system_pick(LassoSystem *y, Bdd states);
Bdd lasso_system_start(LassoSystem *y);
// One step under the condition from a state into a set. Values are per variable; those of next variables are the state
// after it. False: there is none.
bool lasso_system_step(LassoSystem *y, Bdd state, Bdd condition, Bdd into, ByteVector *values);
Bdd lasso_system_next_of(LassoSystem *y, const ByteVector *values); // that state

// The answer to a question by a limit to nodes.
MethodAnswer lasso_bdd_answer(LassoQuestion *question, size_t most_nodes);

// --- lassos ---

typedef enum LassoClosing { LASSO_CLOSED, LASSO_OPEN, LASSO_STOPPED } LassoClosing;

// Finds a lasso. `rings` are the states that are new after 0, 1, ... steps; `hull` are states of them, all of which have an
// infinite past in the hull with all justice. LASSO_OPEN: latches outside of the cone do not become the same again.
LassoClosing lasso_bdd_find(LassoSystem *y, const U32Vector *rings, Bdd hull, LassoQuestion *question);

#endif
