// The waitlist: nodes to look at, goals first, for what they teach is better known before anything is covered; then the
// newest (depth first), the oldest (breadth first), or that with the least progress (control.h), so that ways meet
// before they go on together; there, goals may also wait until the others with as few turns are done.
#ifndef HEDDLE_REACH_TREE_WAITLIST_H
#define HEDDLE_REACH_TREE_WAITLIST_H

#include "reach/tree/tree.h"

typedef enum SearchOrder { SEARCH_DEPTH_FIRST, SEARCH_BREADTH_FIRST, SEARCH_LEAST_PROGRESS } SearchOrder;

typedef struct WaitingNode {
  uint64_t priority; // the least goes first
  NodeId node;
} WaitingNode;
VECTOR(WaitingNodeVector, WaitingNode);

typedef struct Waitlist {
  SearchOrder order;
  U32Vector goals, nodes;
  size_t next;            // breadth first: where `nodes` begins
  WaitingNodeVector heap; // by progress
  const ControlTable *controls;
  bool goals_last;
} Waitlist;

void waitlist_init(Waitlist *waitlist, SearchOrder order, Account *account);
// The order becomes that of progress; the waitlist is empty.
void waitlist_order_by_progress(Waitlist *waitlist, const ControlTable *controls, bool goals_last);
void waitlist_free(Waitlist *waitlist);
void waitlist_clear(Waitlist *waitlist);
void waitlist_add(Waitlist *waitlist, Tree *tree, NodeId node); // nothing if it is there already
NodeId waitlist_take(Waitlist *waitlist, Tree *tree);           // NO_ID: it is empty

#endif
