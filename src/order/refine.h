// The refinement loop (paper: figure 1): solve the abstraction, order the events of its counterexample, learn the
// reasons why they cannot be ordered.
#ifndef HEDDLE_ORDER_REFINE_H
#define HEDDLE_ORDER_REFINE_H

#include "base/log.h"
#include "order/counterexample.h"
#include "order/encoding.h"
#include "order/read_links.h"

typedef enum RefineMode { REFINE_GRAPH, REFINE_SOLVER, REFINE_EAGER } RefineMode;

// X(name): counters that go to the result's statistics.
#define REFINE_STATISTICS(X)                                                                                           \
  X(refinements)                                                                                                       \
  X(refinement_clauses)                                                                                                \
  X(refinement_literals)                                                                                               \
  X(fallbacks)                                                                                                         \
  X(abstraction_clauses)

typedef struct RefineStatistics {
#define X(name) uint64_t name;
  REFINE_STATISTICS(X)
#undef X
} RefineStatistics;

typedef struct Refinement {
  RefineMode mode;
  const Events *events;
  const MustOrder *order;
  Solver *solver;
  Counterexample counterexample;
  Reasons reasons;
  U32Vector sequence; // after REACHABLE: the nodes of the counterexample's graph in a possible order
  RefineStatistics *statistics;
  Budget *budget;
  Log *log;
  unsigned bound; // for progress messages
  Account *account;
} Refinement;

typedef enum Reachability { REACHABLE, UNREACHABLE, REACH_UNDECIDED } Reachability;

// Encodes the events into a new solver. False: the budget ended.
bool refinement_open(Refinement *r, RefineMode mode, Events *events, const MustOrder *order,
                     RefineStatistics *statistics, Budget *budget, Account *account);
void refinement_close(Refinement *r);
// Can a goal of these kinds (bits) be reached? Learned clauses are kept for the next call.
Reachability refinement_reach(Refinement *r, unsigned kinds);
// The same in executions in which no attempt to lock is supposed to fail.
Reachability refinement_reach_certain(Refinement *r, unsigned kinds);

// After REACHABLE: a supposition that holds in the model, or NULL.
const Supposition *refinement_supposition(const Refinement *r);

#endif
