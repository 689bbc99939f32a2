// The waitlist: nodes to look at, goals first, for what they teach is better known before anything is covered; then the
// newest (depth first) or the oldest (breadth first).
#ifndef HEDDLE_REACH_WAITLIST_H
#define HEDDLE_REACH_WAITLIST_H

#include "reach/tree.h"

typedef enum SearchOrder { SEARCH_DEPTH_FIRST, SEARCH_BREADTH_FIRST } SearchOrder;

typedef struct Waitlist {
  SearchOrder order;
  U32Vector goals, nodes;
  size_t next; // breadth first: where `nodes` begins
} Waitlist;

void waitlist_init(Waitlist *waitlist, SearchOrder order, Account *account);
void waitlist_free(Waitlist *waitlist);
void waitlist_clear(Waitlist *waitlist);
void waitlist_add(Waitlist *waitlist, Tree *tree, NodeId node); // nothing if it is there already
NodeId waitlist_take(Waitlist *waitlist, Tree *tree);           // NO_ID: it is empty

#endif
