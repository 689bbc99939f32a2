// Unrolling: executes every thread of a program symbolically, branches merged, loops unwound, and writes down the
// events (paper: section 2; the SSA form and guards of bounded model checking).
//
// Each thread runs over its locations in nesting order with one state per location: guard, values of the variables,
// values of the cells that nobody else can touch. Where paths meet, states merge. Everything goes through simplifying
// constructors, so constants, guards and addresses that are known fold away, and loops with constant bounds end by
// themselves. What main does before it creates the first thread is one node.
//
// Loops. `bound` iterations are unwound; iterations whose exits are all decided by constants do not count. Where more
// could follow, a goal of kind GOAL_UNWINDING says so. Iterations that change nothing are not followed (waiting.h).
//
// Constants through memory. A read whose possible writes all store the same constant is that constant; this is found
// by unrolling again with what the last unrolling showed (`Constants`), and holds by induction over time, because
// every assumption is checked on the events of the unrolling that used it, and none is made about one of several reads
// of the same node.
#ifndef HEDDLE_ORDER_UNROLL_H
#define HEDDLE_ORDER_UNROLL_H

#include "base/budget.h"
#include "order/events.h"

typedef struct UnrollOptions {
  unsigned bound;           // counted iterations per loop
  unsigned free_iterations; // most iterations decided by constants
  size_t most_events;       // gives up beyond
  const Map *constants;     // Event.key -> Term: values assumed for reads
} UnrollOptions;

// False: the budget ended, or there are too many events.
bool unroll(const Program *program, const UnrollOptions *options, Events *events, Budget *budget);

#endif
