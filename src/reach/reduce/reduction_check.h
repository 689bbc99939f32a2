// A checker of reductions: may the threads that a reduction leaves out at a node really be left out, by the definition?
//
// The checker does not use footprints or actions. It asks a solver of its own about the transitions themselves:
//   none      Every thread that has an edge is chosen.
//   local     The chosen thread can take a step in every state, takes no backward edge and starts no section. Its edges
//             commute with every edge of every other thread, in all states.
//   monotone  The step that led to the node was taken by a thread with a larger number than the thread left out, and it
//             is not a backward edge. It commutes with every edge that the thread left out has at the node, in all
//             states that the label before the step allows.
//   persistent, aware
//             Consider the threads left out and the threads that they create. Every edge that they can ever take while
//             the chosen threads take no step commutes with the next actions (whole sections) of the chosen threads, in
//             all states. Some chosen thread goes on: it can take a step in every state, takes no backward edge there,
//             starts no section, does not end the process and does not meet a cut. A thread whose guards are false by
//             control counts as enabled once a thread that can take steps has an edge that changes a status in these
//             guards. A cell is *closed* if it is not 0 on the path to the node and no edge under consideration ever
//             writes it (a lock whose holder takes no step). Edges that need a closed cell to be 0 cannot be taken. For
//             `aware`, the system is that in which cells that labels do not mention have any value before each step:
//             the values of these cells are inputs of each edge, different inputs for the two edges that are compared,
//             and the values that the edges give to these cells are not compared. (It is more than is needed that they
//             commute for all such inputs.)
// Two edges commute in a state if neither enables or disables the other there and both orders lead to the same state.
// Threads that have to begin in order (transition/begin_order.h) are part of the definition: a thread that is held has
// no edge, and it does nothing while those that hold it take no step.
// In addition, an edge that control is said to exclude must be impossible on the path to the node.
#ifndef HEDDLE_REACH_REDUCE_REDUCTION_CHECK_H
#define HEDDLE_REACH_REDUCE_REDUCTION_CHECK_H

#include "reach/tree/explore.h"

typedef struct ReductionCheck {
  Explorer *explorer;
  TermStore *terms;
  Solver *solver;
  Feasibility feasibility; // its own, so that checking does not change the search
  Map commuting;           // hash of label, precision and two edges: the edges are known to commute
  Map local;               // locations whose action is known to be local
  Map futures;             // hash of precision, started threads, closed cells, action and location: known to commute
  Map needs;               // edge << 32 | variable -> 1: the edge can be taken only if the variable is 0
  TermVector closed;       // cells that stay different from 0 while the chosen threads take no step
  Map copies[2];           // per side of a comparison: untracked variable -> its copy
  uint64_t choices, pairs;
  Account *account;
} ReductionCheck;

void reduction_check_init(ReductionCheck *check, Explorer *explorer);
void reduction_check_free(ReductionCheck *check);
// Returns NULL if the choice satisfies the definition, otherwise one line that says what is wrong.
const char *reduction_check_choice(ReductionCheck *check, NodeId node, ThreadMask chosen);

#endif
