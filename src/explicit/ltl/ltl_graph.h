// The graph of all states of the unreduced program, step by step, with nothing left out.
//
// States inside an atomic section are states of the graph in which only one thread moves. A section that cannot be
// finished is not entered: in such states there is no way to one outside.
//
// What is known of a state outside of sections, per thread:
//   can         the thread can take a step; a step into a section counts only if the section can be finished
//   unstopped   the thread is not disabled for ever: it can take a step, waits, has ended or was not created
#ifndef HEDDLE_EXPLICIT_LTL_LTL_GRAPH_H
#define HEDDLE_EXPLICIT_LTL_LTL_GRAPH_H

#include "base/budget.h"
#include "base/log.h"
#include "base/map.h"
#include "explicit/ltl/ltl_states.h"

typedef struct GraphEdge {
  StateId to;
  ThreadId thread;
} GraphEdge;
VECTOR(GraphEdgeVector, GraphEdge);

enum { // of a state
  GRAPH_EXPANDED = 1,
  GRAPH_INSIDE = 2,   // a thread is inside a section, and the process has not ended
  GRAPH_ENDED = 4,    // the process has ended
  GRAPH_FINISHES = 8, // inside: there is a way out
  GRAPH_WAITS = 16    // inside: there is a way to a step that waits
};

typedef struct LtlGraph {
  const Program *program;
  LtlStates states;
  Concrete now; // scratch
  ByteVector flags;
  U64Vector can, unstopped;
  U32Vector letters;       // per state: index of its letter
  U64Vector letter_values; // each once
  Map letter_of;
  U64Vector first_edge; // per expanded state, and one more
  GraphEdgeVector edges;
  CellId undetermined; // an atom mentions it, and it holds any value in some state; NO_ID: none
  bool doubtful;       // an atom looks through a pointer that was not foreseen, in some state
  Account *account;
} LtlGraph;

typedef enum GraphEnd { GRAPH_COMPLETE, GRAPH_STOPPED, GRAPH_LIMIT } GraphEnd;

void ltl_graph_init(LtlGraph *graph, const Program *program, unsigned input_bits, Account *account);
void ltl_graph_free(LtlGraph *graph);
// State 0 is the first one. What is there when it stops early can be used, but is not everything.
GraphEnd ltl_graph_build(LtlGraph *graph, uint64_t max_states, Budget *budget, Log *log);

static inline size_t ltl_graph_count(const LtlGraph *graph) { return graph->flags.count; }
static inline size_t ltl_graph_edge_count(const LtlGraph *graph, StateId state) {
  if (!(graph->flags.data[state] & GRAPH_EXPANDED)) return 0;
  return graph->first_edge.data[state + 1] - graph->first_edge.data[state];
}
static inline GraphEdge ltl_graph_edge(const LtlGraph *graph, StateId state, size_t index) {
  assert(index < ltl_graph_edge_count(graph, state));
  return graph->edges.data[graph->first_edge.data[state] + index];
}
// Does the state repeat for ever? It does if the process has ended, or if no thread can take a step.
static inline bool ltl_graph_stays(const LtlGraph *graph, StateId state) {
  uint8_t flags = graph->flags.data[state];
  if (flags & GRAPH_ENDED) return true;
  return flags & GRAPH_EXPANDED && !(flags & GRAPH_INSIDE) && graph->can.data[state] == 0;
}

#endif
