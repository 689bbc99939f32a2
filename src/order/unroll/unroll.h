// Unrolling: executes every thread of a program symbolically, merges branches, unwinds loops, and records the events
// (paper: section 2; the SSA form and the guards of bounded model checking).
//
// Each thread is executed over its locations in nesting order (nesting.h) with one state per location: a guard, the
// values of the variables, and the values of the cells that no other thread can access. Where paths meet, their states
// are merged. All terms are built by simplifying constructors. So constants, known guards and known addresses fold
// away, and loops with constant bounds end by themselves. What main does before it creates the first thread is one
// node.
//
// Loops. `bound` iterations are unwound. Iterations whose exits are all decided by constants do not count. If a further
// iteration is possible, a goal of kind GOAL_UNWINDING records this. Iterations that change nothing are not followed
// (waiting.c).
//
// Constants through memory. If all writes that a read may see store the same constant, the read has that constant as
// its value. Such reads are found by unrolling again with what the last unrolling showed (`constants`). The assumed
// values hold by induction over time, because each assumption is checked on the events of the unrolling that used it,
// and because no assumption is made about one of several reads of the same node.
#ifndef HEDDLE_ORDER_UNROLL_UNROLL_H
#define HEDDLE_ORDER_UNROLL_UNROLL_H

#include "base/budget.h"
#include "order/unroll/events.h"

typedef struct UnrollOptions {
  unsigned bound;           // counted iterations per loop
  unsigned free_iterations; // most iterations decided by constants
  size_t most_events;       // the unrolling stops if there are more
  const Map *constants;     // Event.key -> Term: values assumed for reads
  bool races;               // record the accesses that may race, and the suppositions
  bool deadlocks;           // record where threads stand still; steps that wait may be attempted in vain
  bool doubts;              // a stop that may be none is a supposition, too
} UnrollOptions;

// Returns false if the budget ended or there are too many events.
bool unroll(const Program *program, const UnrollOptions *options, Events *events, Budget *budget);

#endif
