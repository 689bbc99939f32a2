// The steps of a circuit as decision diagrams, for the lasso method bdd, and the lasso that is found with them.
//
// Only latches of the *cone* count: those that the question depends on, directly or by way of other latches. Each latch
// of the cone has two variables, the current one and behind it the next one. Each input in the cone has one variable.
// So a state is an assignment of the current variables.
//
// The relation of steps is a conjunction of clusters, which are multiplied one after the other. A variable is
// quantified as soon as no later cluster has it. There is one order of clusters for images and one for preimages.
//
// Running out of nodes or time is a flaw (`translator.flaw`). After it no diagram can be relied upon. All Bdds that are
// returned are new references.
#ifndef HEDDLE_CIRCUIT_METHODS_LASSO_BDD_H
#define HEDDLE_CIRCUIT_METHODS_LASSO_BDD_H

#include "circuit/methods/method.h"
#include "symbolic/bdd_translate.h"

typedef struct LassoPass {
  U32Vector order;  // the clusters, in the order of multiplication
  U32Vector forget; // per cluster in this order: the cube of the variables that are quantified with it
  Bdd first;        // the cube of the variables to be quantified that are in no cluster
} LassoPass;

typedef struct LassoSystem {
  const Question *question;
  const Circuit *c;
  U32Vector leaf;     // per input of the graph: its variable; NO_ID: it is not in the cone
  U32Vector latches;  // the latches of the cone, in the order of their variables
  uint32_t variables; // how many there are
  BddTranslator translator;
  Bdd constraint;     // the steps that are allowed, over current variables and inputs
  U32Vector just;     // per justice: the allowed steps in which it holds; without justice, one entry: all allowed steps
  U32Vector clusters; // of the relation, which does not include `constraint`
  LassoPass forward, backward;
  BddRenaming *to_next, *to_current;
  size_t relation_nodes; // of clusters and conditions
  size_t reorder_at;     // reorders when these and the states have this many nodes
  double reorder_rate;   // seconds per node that the last reordering took
  uint32_t reorderings;
  Account *account;
} LassoSystem;

// The index of an input or latch among the inputs of the graph.
static inline uint32_t lasso_leaf_of(const LassoSystem *y, AigLiteral literal) {
  return aig_input_index(&y->c->aig, aig_node(literal));
}

// Finds the cone and numbers its variables. `whole`: all latches are in the cone.
void lasso_system_find_cone(LassoSystem *y, bool whole);
// `most_nodes` is the limit of the node table; 0: a default. The caller frees the system in any case.
void lasso_system_init(LassoSystem *y, const Question *question, bool whole, size_t most_nodes);
void lasso_system_free(LassoSystem *y); // and all diagrams
bool lasso_system_stopped(LassoSystem *y);

// The successors and predecessors of a set, by steps in which the condition holds. The condition implies `constraint`.
Bdd lasso_system_after(LassoSystem *y, Bdd states, Bdd condition);
Bdd lasso_system_before(LassoSystem *y, Bdd states, Bdd condition);
// From here on, only steps from these states matter. Clusters may become smaller.
void lasso_system_care(LassoSystem *y, Bdd states);
// Reorders variables if the relation and these states have many nodes, and if there is time for it.
void lasso_system_reorder(LassoSystem *y, Bdd states);

Bdd lasso_system_pick(LassoSystem *y, Bdd states); // one state of the set; BDD_FALSE: the set is empty
Bdd lasso_system_start(LassoSystem *y);            // the initial state
// Finds a step under the condition from a state into a set. Fills in the values of all variables; those of the next
// variables are the state after it. False: there is no such step.
bool lasso_system_step(LassoSystem *y, Bdd state, Bdd condition, Bdd into, ByteVector *values);
Bdd lasso_system_next_of(LassoSystem *y, const ByteVector *values); // that state

// Answers the question, with a limit of the node table.
MethodAnswer lasso_bdd_answer(Question *question, size_t most_nodes);

// --- lassos ---

typedef enum LassoClosing { LASSO_CLOSED, LASSO_OPEN, LASSO_STOPPED } LassoClosing;

// Finds a lasso. `rings` are the sets of states that are new after 0, 1, ... steps. `hull` is a set of such states,
// each of which has an infinite past in the hull with all justice. LASSO_OPEN: latches outside of the cone do not
// become the same again.
LassoClosing lasso_bdd_find(LassoSystem *y, const U32Vector *rings, Bdd hull, Question *question);

#endif
