// Data races as goals: two accesses that race happen directly one after the other.
//
// If two accesses race in some execution (no synchronisation orders them), some execution has them next to each other;
// docs/properties.md has the argument. So a goal is made of each pair of accesses of different threads that touch one
// cell, of which one writes, that are not both synchronising and not both in sections. In the goal's execution
//
//   - everything that the second access's thread does before it comes before the first access,
//   - the second access comes after the first,
//   - everything that the first access's thread does after it comes after the second access.
//
// counterexample.c puts these orders into the graph, resting on the guard of the goal. Nothing can then order the two
// accesses: a thread would have to be reached by the first one after its access, and reach the second one before its.
//
// Left out are pairs that never happen so: the accesses are made while one lock is certainly held (facts.h), or the
// first one must come before a step of the second one's thread that comes before the second access.
#ifndef HEDDLE_ORDER_RACE_GOALS_H
#define HEDDLE_ORDER_RACE_GOALS_H

#include "order/read_links.h"

// Adds the goals of all pairs. False: there are too many, or the budget ended.
bool race_goals_add(Events *events, const MustOrder *order, Budget *budget);

#endif
