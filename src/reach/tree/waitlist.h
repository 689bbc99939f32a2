// The waitlist: the nodes to be visited.
//
// Goals are taken first, because what is learned from them is best known before any node is covered. Then follows the
// newest node (depth first), the oldest node (breadth first), or the node with the least progress (control.h). The last
// order makes paths meet before they continue together. In that order, goals may also wait until the other nodes with
// at most their number of iterations were taken.
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
// Changes the order to that of least progress. The waitlist must be empty.
void waitlist_order_by_progress(Waitlist *waitlist, const ControlTable *controls, bool goals_last);
void waitlist_free(Waitlist *waitlist);
void waitlist_clear(Waitlist *waitlist);
void waitlist_add(Waitlist *waitlist, Tree *tree, NodeId node); // does nothing if the node waits already
NodeId waitlist_take(Waitlist *waitlist, Tree *tree);           // NO_ID: it is empty

#endif
