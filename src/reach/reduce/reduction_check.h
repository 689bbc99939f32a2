// A checker of reductions: is what the reduction leaves out at a node really not needed, by the definition?
//
// It knows nothing of touches and actions, and asks a solver of its own about transitions as they are:
//   none      every thread that has an edge is chosen
//   local     the chosen thread can move in every state, closes no loop, starts no section, and its edges commute with
//             every edge of every other thread, in all states
//   monotone  the step that led here came from a larger thread, closed no loop, and commutes with every edge that the
//             thread left out has here, in all states that the label before the step allows
//   persistent, aware
//             nothing that the threads left out can ever do while the chosen ones stand still, be it by threads that they
//             create, fails to commute with the next actions of the chosen ones (whole sections), in all states; and
//             some chosen thread can move in every state, closes no loop there, starts no section, does not end the
//             process and is not cut. A thread whose guards are false by control can move once another one that
//             can has an edge which changes a status in them. A cell that is not 0 on the path to the node, and
//             that nothing of this ever writes (a lock whose holder stands still), closes the edges which need it to be 0.
//             For `aware`, in the system in which cells that labels do not mention have any value before each step:
//             their values are inputs of each edge, different ones for the two that are compared, and what the edges
//             make of them is not compared. (That they commute for all such inputs is more than is needed.)
// Two edges commute in a state if neither enables or disables the other there and both orders give the same state.
// An edge that control alone is said to exclude must be impossible on the path to the node.
#ifndef HEDDLE_REACH_REDUCE_REDUCTION_CHECK_H
#define HEDDLE_REACH_REDUCE_REDUCTION_CHECK_H

#include "reach/tree/explore.h"

typedef struct ReductionCheck {
  Explorer *explorer;
  TermStore *terms;
  Solver *solver;
  Feasibility feasibility; // of its own, so that checking changes nothing
  Map commuting;           // hash of label, precision, edge, edge: known to commute
  Map local;               // locations whose action is known to be local
  Map futures;       // hash of precision, born threads, closed cells, action, location: all that may follow commutes
  Map needs;         // edge << 32 | variable -> can it only be taken if the variable is 0?
  TermVector closed; // cells that stay other than 0 while the chosen threads stand still
  Map copies[2];     // untracked variables -> those that stand for them in the one edge and in the other
  uint64_t choices, pairs;
  Account *account;
} ReductionCheck;

void reduction_check_init(ReductionCheck *check, Explorer *explorer);
void reduction_check_free(ReductionCheck *check);
// NULL: the choice is right. Else what is wrong with it: one line.
const char *reduction_check_choice(ReductionCheck *check, NodeId node, ThreadMask chosen);

#endif
