// Event order graphs (paper: section 4 of "Scheduling Constraint Based Abstraction Refinement"): can the nodes of one
// abstract counterexample be put in a total order that explains every value it read?
//
// A node is what happens indivisibly: one access, one read-modify-write, or a whole atomic section. Node 0 is the
// initial state and comes before every other node. The nodes of one thread are ordered by their numbers. A write says
// that a node writes a cell. A link says that the read of a cell in one node sees the write in another node: the write
// comes before the read, and no other write of that cell lies between. An edge says that one node comes before another
// (creation of a thread). A node may read and write the same cell; its read comes first.
//
// Literals. Each write, link and edge of a graph rests on a literal that is true in the counterexample: a term of width
// 1, or TERM_NONE if no literal is needed. The literal of a write, link or edge implies that the nodes it mentions are
// executed. A *reason* is a set of literals that cannot all be true in any execution. The caller adds its negation as a
// clause. A step along a chain (two nodes of one thread) therefore needs no literal of its own: the links, writes and
// edges at its ends already imply that both nodes are executed.
//
// Invariants: there is at most one write per node and cell; a link has different nodes at its ends, and the write that
// it names is among the writes; no edge or link leads to node 0.
//
// A graph owns its vectors. Terms belong to the caller.
#ifndef HEDDLE_ORDER_GRAPH_GRAPH_H
#define HEDDLE_ORDER_GRAPH_GRAPH_H

#include "base/budget.h"
#include "base/vector.h"
#include "term/term.h"

typedef uint32_t GraphNode;

typedef struct GraphLink {
  GraphNode write, read;
  uint32_t cell;
  Term literal;
} GraphLink;

typedef struct GraphWrite {
  GraphNode node;
  uint32_t cell;
  Term literal;
} GraphWrite;

typedef struct OrderEdge {
  GraphNode from, to;
  Term literal;
} OrderEdge;

VECTOR(GraphLinkVector, GraphLink);
VECTOR(GraphWriteVector, GraphWrite);
VECTOR(GraphEdgeVector, OrderEdge);

typedef struct OrderGraph {
  U32Vector threads; // per node: its thread (any numbers); node 0 has a thread of its own
  GraphWriteVector writes;
  GraphLinkVector links;
  GraphEdgeVector edges;
  // Is it known, without a solver, that one literal implies the other? Used to leave implied literals out of reasons.
  bool (*implies)(void *context, Term strong, Term weak);
  void *context;
  struct Inspection *inspection; // of the solver that may be asked about it (solver/inspection.h), or NULL
  Account *account;
} OrderGraph;

void graph_init(OrderGraph *graph, Account *account);
void graph_free(OrderGraph *graph);
void graph_clear(OrderGraph *graph);

// A list of sets of literals: `starts` has one more entry than there are sets.
typedef struct Reasons {
  TermVector literals;
  U32Vector starts;
} Reasons;
void reasons_init(Reasons *reasons, Account *account);
void reasons_free(Reasons *reasons);
void reasons_clear(Reasons *reasons);
static inline size_t reasons_count(const Reasons *reasons) { return reasons->starts.count - 1; }

typedef struct GraphLimits {
  unsigned reasons_per_order; // alternatives kept for one order
  unsigned reasons;           // reasons given back for one graph, the shortest first
} GraphLimits;

// Applies rules 1 to 3 to the fixpoint. True: the graph is infeasible, and `reasons` holds core kernel reasons. They
// are minimal under the rules, without duplicates, and none is a superset of another. False: the rules found no
// contradiction; the graph may still be infeasible.
bool graph_infeasible(const OrderGraph *graph, const GraphLimits *limits, Reasons *reasons);

typedef enum GraphAnswer { GRAPH_ORDERED, GRAPH_IMPOSSIBLE, GRAPH_UNDECIDED } GraphAnswer;
// Solves the exact order constraints. ORDERED: `order` lists all nodes in an order that satisfies the graph.
// IMPOSSIBLE: `reasons` holds one reason, from an unsatisfiable core that was made smaller. UNDECIDED: the budget
// ended.
GraphAnswer graph_solve(const OrderGraph *graph, U32Vector *order, Reasons *reasons, Budget *budget);

// Does `order` satisfy the graph? For assertions and tests.
bool graph_is_order(const OrderGraph *graph, const U32Vector *order);
// How often the thread changes along `order` (node 0 does not count).
size_t graph_switches(const OrderGraph *graph, const U32Vector *order);
// Replaces `order` by one with fewer switches if a search of at most `effort` steps finds one; `last` stays the last
// node if it is not NO_NODE.
void graph_reduce_switches(const OrderGraph *graph, GraphNode last, size_t effort, U32Vector *order);
#define NO_NODE UINT32_MAX

#endif
