// Counterexamples: what a model of the abstraction says happens, as far as it matters for the goal.
//
// Only the causal past of the goal counts: the nodes of the goal's thread, for each read the write that it sees, and
// with each node all earlier ones of its thread and the creation of the thread. What else the model executes need not
// happen before the goal, so it need not be ordered.
#ifndef HEDDLE_ORDER_COUNTEREXAMPLE_H
#define HEDDLE_ORDER_COUNTEREXAMPLE_H

#include "order/events.h"
#include "order/graph.h"
#include "solver/solver.h"

typedef struct Counterexample {
  const Events *events;
  uint32_t goal;
  OrderGraph graph;
  NodeIdVector nodes; // graph node -> node; NO_ID: the start of a thread
  U32Vector starts;   // graph node -> thread of which it is the start, or NO_ID
  Map literal_guard;  // literal -> ConjunctionId that it implies; links have two
  Map literal_guard_2;
  GraphNode *graph_of; // per node: its graph node or NO_NODE
  Account *account;
} Counterexample;

void counterexample_init(Counterexample *c, const Events *events, Account *account);
void counterexample_free(Counterexample *c);
// Reads the model of a satisfiable check: picks a goal of the kinds that is reached and builds the graph of its past.
void counterexample_read(Counterexample *c, Solver *solver, unsigned kinds);

#endif
