// Nodes of the graph of lock orders: what a thread may wait for.
//
// A node is a lock, or a class of locks (the elements of an array, the blocks of one allocation); the same for
// condition variables, semaphores and barriers. Places that overlap are in one node. Two nodes are always there:
// OUTSIDE, all that outside code reaches and all that is reached by pointers which were not followed, and SECTION, the
// atomic section.
//
// Direction of the facts: the nodes of an operand are may-add; that a node is one lock is must.
#ifndef HEDDLE_SURVEY_ORDERS_LOCK_NODES_H
#define HEDDLE_SURVEY_ORDERS_LOCK_NODES_H

#include "survey/survey_facts.h"

enum { NODE_OUTSIDE = 0, NODE_SECTION = 1, FIRST_LOCK_NODE = 2 };

typedef struct LockNode {
  AreaPlace place; // one of its places, to name it
  bool one;        // one lock, which exists at most once
} LockNode;
VECTOR(LockNodeVector, LockNode);

typedef struct NodePlace {
  AreaPlace place;
  uint32_t node, next; // next of the same area, + 1
} NodePlace;
VECTOR(NodePlaceVector, NodePlace);

typedef struct LockNodes {
  SurveyFacts *facts;
  LockNodeVector all;
  NodePlaceVector places;
  Map by_area;          // area -> its first place + 1
  Map of_locks;         // lock -> SetId + 1
  bool outside_is_used; // a lock of the program is in OUTSIDE
} LockNodes;

void lock_nodes_init(LockNodes *nodes, SurveyFacts *facts);
void lock_nodes_free(LockNodes *nodes);
SetId lock_nodes_of(LockNodes *nodes, CodeOperand operand);
SetId lock_nodes_of_lock(LockNodes *nodes, uint32_t lock); // of a name, of any kind
static inline bool lock_nodes_is_one(const LockNodes *nodes, uint32_t node) {
  return LockNodeVector_at(&nodes->all, node)->one;
}

#endif
