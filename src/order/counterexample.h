// Counterexamples: what happens in a model of the abstraction, as far as it matters for the goal.
//
// Only the causal past of the goal counts: the nodes of the goal's thread, for each read the write that it sees, and
// for each node all earlier nodes of its thread and the creation of the thread. Other nodes that the model executes
// need not happen before the goal, so they need not be ordered.
#ifndef HEDDLE_ORDER_COUNTEREXAMPLE_H
#define HEDDLE_ORDER_COUNTEREXAMPLE_H

#include "order/graph/graph.h"
#include "order/unroll/events.h"
#include "solver/solver.h"

typedef struct Counterexample {
  const Events *events;
  ConjunctionTable *guards; // those of the events: the edges of a deadlock rest on conjunctions of several
  uint32_t goal;
  OrderGraph graph;
  NodeIdVector nodes;  // graph node -> node; NO_ID: the start of a thread
  U32Vector starts;    // graph node -> thread of which it is the start, or NO_ID
  Map literal_guard;   // literal -> ConjunctionId that it implies; for a link, the guard of its read
  Map literal_guard_2; // literal of a link -> the guard of its write
  NodeIdVector vain;   // of a deadlock: the nodes in which threads wait, whose steps are not taken
  GraphNode *graph_of; // per node: its graph node or NO_NODE
  Account *account;
} Counterexample;

void counterexample_init(Counterexample *c, Events *events, Account *account);
void counterexample_free(Counterexample *c);
// Reads the model of a satisfiable check: chooses a goal of these kinds that is reached and builds the graph of its
// past.
void counterexample_read(Counterexample *c, Solver *solver, unsigned kinds);

#endif
