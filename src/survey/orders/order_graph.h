// The graph of lock orders: an edge from what is held to what is waited for, with the places where this happens.
//
// Nodes are lock nodes (lock_nodes.h) and the ends of threads: a thread holds its own end as long as it runs, and a
// join waits for it. In the same way, a thread that may signal (or one that may yet create such a thread) holds what
// is waited for at a condition variable, a semaphore or a barrier. These edges are made only if some thread waits so
// with a lock held.
//
// A deadlock is a cycle whose steps are in different threads that run at the same time, and exclude each other by no
// lock. A cycle in which two steps cannot be so is excluded.
//
// Direction of the facts: edges are may-add; that a component has no cycle is must.
#ifndef HEDDLE_SURVEY_ORDERS_ORDER_GRAPH_H
#define HEDDLE_SURVEY_ORDERS_ORDER_GRAPH_H

#include "survey/orders/may_held.h"

typedef struct WaitEdge {
  uint32_t from, to;    // nodes
  uint32_t take;        // in the takes
  uint32_t template_id; // of the thread
  bool guessed;         // which thread is joined is not known
} WaitEdge;
VECTOR(WaitEdgeVector, WaitEdge);

// All edges of two nodes.
typedef struct OrderArc {
  uint32_t from, to, first, count; // in WaitGraph.edges
} OrderArc;
VECTOR(OrderArcVector, OrderArc);

typedef enum CycleResult { CYCLE_NONE, CYCLE_FOUND, CYCLE_LIMIT } CycleResult;

typedef struct WaitGraph {
  SurveyFacts *facts;
  Flow *flow;
  LockNodes *nodes;
  const TakeVector *takes;
  WaitEdgeVector edges; // by from, to
  OrderArcVector arcs;  // in this order, too
  Bitset locks;         // nodes that are locks
  Bitset *reached;      // per node: those that it reaches
  uint32_t node_count;
} WaitGraph;

void order_graph_init(WaitGraph *graph, SurveyFacts *facts, Flow *flow, LockNodes *nodes, const TakeVector *takes);
void order_graph_free(WaitGraph *graph);

static inline bool order_same_component(const WaitGraph *graph, uint32_t a, uint32_t b) {
  return bitset_get(&graph->reached[a], b) && bitset_get(&graph->reached[b], a);
}

// Why two steps cannot be parts of one deadlock; ORDER_MEET: they can.
typedef enum OrderMeeting { ORDER_MEET, ORDER_GATE, ORDER_ONE_THREAD, ORDER_PHASES } OrderMeeting;
OrderMeeting order_meeting(const WaitGraph *graph, const WaitEdge *a, const WaitEdge *b, uint32_t *gate);

// The shortest cycle through the arc: its edges, in order, that may all be at the same time. With `any`, one whose
// steps exclude each other is a cycle, too.
CycleResult order_shortest_cycle(const WaitGraph *graph, uint32_t arc, bool any, U32Vector *cycle);

#endif
