// Inside the graph module: a graph arranged by threads (View), its closure under the rules (OrderClosure), cheapest
// paths (Paths), sets of literals, and the parts that graph.h's functions are made of.
//
// A *chain* is the sequence of nodes of one thread. Chains are totally ordered, so the closure is stored not as one bit
// per pair of nodes but as two numbers per node and thread: the position of the first node of that thread that comes
// after, and how many nodes of it come before. This is smaller than bit sets once there are more than some dozens of
// nodes per thread. It finds the first write after (last write before) a node by bisection, and an insertion can stop
// early along each chain.
//
// A *cross edge* is an order that does not follow from a chain: a link, an edge of the graph, or an order derived by
// rule 2 or 3. Node 0 is the only node of thread 0 of a view.
#ifndef HEDDLE_ORDER_GRAPH_GRAPH_INTERNAL_H
#define HEDDLE_ORDER_GRAPH_GRAPH_INTERNAL_H

#include "order/graph/graph.h"

#define NOTHING UINT32_MAX

typedef struct ViewLink {
  uint32_t write, read; // nodes of the view
  uint32_t cell;        // numbered densely
  uint32_t item;        // index in the graph
} ViewLink;

typedef struct ViewWrite {
  uint32_t node, thread, cell, item;
  bool unconditional; // rests on no literal: no further write of the thread can give a better reason
} ViewWrite;

typedef struct ViewEdge {
  uint32_t from, to, item;
} ViewEdge;

// The writes of one cell in one thread (not those of node 0: they never come between a write and a read).
typedef struct WriteGroup {
  uint32_t thread, first, end; // range in View.writes
} WriteGroup;

VECTOR(ViewLinkVector, ViewLink);
VECTOR(ViewWriteVector, ViewWrite);
VECTOR(ViewEdgeVector, ViewEdge);
VECTOR(WriteGroupVector, WriteGroup);

typedef struct View {
  U32Vector thread, position;   // per node
  U32Vector chain_start, chain; // the nodes of each thread, in order; chain_start has one entry more
  U32Vector next;               // per node: the one after it in its thread, or NOTHING
  ViewLinkVector links;
  ViewWriteVector writes; // sorted by cell, thread, position
  ViewEdgeVector edges;
  WriteGroupVector groups;
  U32Vector cell_group;            // per cell, and one more: its first group
  U32Vector first_from, next_from; // links by the node that writes: list heads per node, next per link
  U32Vector first_to, next_to;     // links by the node that reads
  U32Vector slot; // per link: its first index in tables with one entry per link and group of its cell; last: their size
  uint32_t thread_count, cell_count;
} View;

void view_init(View *view, Account *account);
void view_free(View *view);
void view_clear(View *view);
// Computes the other members from `thread` (dense numbers, only node 0 in thread 0), links, writes and edges.
void view_finish(View *view, uint32_t thread_count, uint32_t cell_count);
void view_of_graph(View *view, const OrderGraph *graph);

static inline uint32_t view_nodes(const View *view) { return (uint32_t)view->thread.count; }
static inline uint32_t chain_length(const View *view, uint32_t thread) {
  return view->chain_start.data[thread + 1] - view->chain_start.data[thread];
}
static inline uint32_t chain_node(const View *view, uint32_t thread, uint32_t position) {
  return view->chain.data[view->chain_start.data[thread] + position];
}
// First index of the group whose write is at `position` or later.
uint32_t group_at_or_after(const View *view, const WriteGroup *group, uint32_t position);

typedef enum Rule { RULE_LINK, RULE_EDGE, RULE_BEFORE_WRITE, RULE_AFTER_READ } Rule;

typedef struct CrossEdge {
  uint32_t from, to;
  uint32_t round; // 0: given; the premise of a derived order uses earlier rounds only
  Rule rule;
  uint32_t link;  // index in View.links; of the edge for RULE_EDGE
  uint32_t write; // index in View.writes: the third write of a derived order
  bool closing;   // it would have closed a cycle and was not inserted
} CrossEdge;
VECTOR(CrossEdgeVector, CrossEdge);

// The order that the chains and the inserted cross edges give, acyclic at all times.
typedef struct OrderClosure {
  const View *view;
  // Which links, writes and edges are enabled; NULL: all.
  const uint8_t *link_on, *write_on, *edge_on;
  U32Vector after;  // node x thread: least position of the thread that comes after the node; the length if none
  U32Vector before; // node x thread: how many nodes of the thread come before the node
  U32Vector queue;  // links whose premises changed
  ByteVector queued;
  U32Vector row;  // scratch
  bool recording; // keep all cross edges, in rounds, for explanations
  CrossEdgeVector edges;
  U32Vector emitted; // two per slot: how far rules 2 and 3 have derived orders already
  size_t first_of_round;
  size_t closing_count;
  size_t enough; // while recording: no further round once so many orders close cycles; 0: until the fixpoint
  bool trailing; // log changes for closure_undo
  U64Vector trail;
} OrderClosure;

void closure_init(OrderClosure *closure, Account *account);
void closure_free(OrderClosure *closure);
// Chains only.
void closure_start(OrderClosure *closure, const View *view);
// Inserts an order. False: it closes a cycle and was not inserted.
bool closure_insert(OrderClosure *closure, uint32_t from, uint32_t to);
// Applies rules 2 and 3 at the links in the queue until nothing changes. False: a contradiction was met.
bool closure_propagate(OrderClosure *closure);
// Inserts all orders of the view and applies the rules until the fixpoint. False: the view is infeasible. Without
// recording it stops at the first contradiction. With recording it continues without the orders that close cycles.
bool closure_run(OrderClosure *closure);
void closure_undo(OrderClosure *closure, size_t mark); // undoes all changes since trail.count was `mark`

static inline const uint32_t *after_row(const OrderClosure *c, uint32_t node) {
  return c->after.data + (size_t)node * c->view->thread_count;
}
static inline const uint32_t *before_row(const OrderClosure *c, uint32_t node) {
  return c->before.data + (size_t)node * c->view->thread_count;
}
static inline bool comes_before(const OrderClosure *c, uint32_t a, uint32_t b) {
  return after_row(c, a)[c->view->thread.data[b]] <= c->view->position.data[b];
}

// Cheapest paths over chains (free) and cross edges.
typedef struct PathEdge {
  uint32_t from, to, cost;
  uint32_t next; // the next edge out of `from`
} PathEdge;
VECTOR(PathEdgeVector, PathEdge);

enum { PATH_COSTS = 64 }; // larger costs are not distinguished

typedef struct Paths {
  const View *view;
  PathEdgeVector edges;
  U32Vector first_out; // per node
  U32Vector distance, stamp,
      arrival; // per node: valid if the stamp is the current one; the edge by which it is reached
  uint32_t search;
  U32Vector buckets[PATH_COSTS];
  size_t effort; // nodes visited so far
} Paths;

typedef struct PathFilter {
  uint32_t edge_limit;        // only edges with smaller indices
  uint32_t forbidden;         // an edge that is not used, or NOTHING
  const uint8_t *blocked;     // per edge: it is not used; or NULL
  const uint32_t *prefixes;   // per thread: only so many of its first nodes (and the target) are used; or NULL
  const uint32_t *components; // per node: only nodes in the component of the target are used; or NULL
} PathFilter;

void paths_init(Paths *paths, Account *account);
void paths_free(Paths *paths);
void paths_start(Paths *paths, const View *view);
uint32_t paths_add(Paths *paths, uint32_t from, uint32_t to, uint32_t cost);
// Fills `path` with the cross edges of a cheapest path, the last one first. False: there is no path.
bool paths_find(Paths *paths, uint32_t from, uint32_t to, const PathFilter *filter, U32Vector *path);

// Sorted sets of literals without TERM_NONE, one after the other.
typedef struct LiteralSets {
  TermVector literals;
  U32Vector starts; // one more than sets
} LiteralSets;

typedef struct LiteralSet {
  const Term *data;
  size_t count;
} LiteralSet;

void sets_init(LiteralSets *sets, Account *account);
void sets_free(LiteralSets *sets);
void sets_clear(LiteralSets *sets);
void sets_push(LiteralSets *sets, LiteralSet set);
static inline size_t sets_count(const LiteralSets *sets) { return sets->starts.count - 1; }
static inline LiteralSet sets_at(const LiteralSets *sets, size_t i) {
  assert(i < sets_count(sets));
  uint32_t start = sets->starts.data[i];
  return (LiteralSet){sets->literals.data + start, sets->starts.data[i + 1] - start};
}
static inline LiteralSet set_of(const TermVector *literals) { return (LiteralSet){literals->data, literals->count}; }
bool set_contains(LiteralSet set, Term literal);
bool set_subset(LiteralSet small, LiteralSet large);
void set_sort(TermVector *set); // also removes duplicates and TERM_NONE
// Indices of the sets, the smallest set first. Sets of equal size keep their order.
void sets_by_size(const LiteralSets *sets, U32Vector *indices);
void reasons_add(Reasons *reasons, LiteralSet set);

// Finds sets of literals under which the recorded closure closes cycles. Each is contradictory; they need not be
// minimal.
void explain_cycles(const OrderGraph *graph, const OrderClosure *closure, const GraphLimits *limits,
                    LiteralSets *found);

// Reduces contradictory sets to minimal ones.
typedef struct Minimiser {
  const OrderGraph *graph;
  const View *whole;
  Map by_literal;                     // literal -> first link or edge with it (links first, then edges)
  U32Vector next_same;                // the next link or edge with the same literal
  U32Vector node_number, cell_number; // in the part; valid if the stamp is the current one
  U32Vector node_stamp, cell_stamp;
  uint32_t stamp;
  U32Vector nodes, cells, items; // of the part
  View part;
  OrderClosure closure;
  ByteVector enabled, kept, implied;                   // per literal of the set; `implied` is a square matrix
  ByteVector link_on, write_on, edge_on;               // per link, write and edge of the part: it is enabled
  U32Vector link_literal, write_literal, edge_literal; // ... the index of its literal in the set, or NOTHING
} Minimiser;

void minimiser_init(Minimiser *minimiser, const OrderGraph *graph, const View *whole);
void minimiser_free(Minimiser *minimiser);
// Returns false and changes nothing if the rules find no contradiction in the part of the graph that rests on `set`.
bool minimise(Minimiser *minimiser, TermVector *set);

typedef enum SearchAnswer { SEARCH_FOUND, SEARCH_NONE, SEARCH_GAVE_UP } SearchAnswer;
// Builds an order node by node and applies the rules after each choice. Gives up after `failures` dead ends.
SearchAnswer search_order(const View *view, OrderClosure *closure, size_t failures, U32Vector *order);
// Finds an order by constraints on pairs of nodes. Cycles are excluded when they appear in a model.
GraphAnswer exact_order(const OrderGraph *graph, const View *view, U32Vector *order, Reasons *reasons, Budget *budget);
// A total order that extends an acyclic closure.
void closure_order(const OrderClosure *closure, U32Vector *order);

#endif
