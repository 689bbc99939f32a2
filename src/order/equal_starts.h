// Symmetry: of equal threads, only the executions count in which they begin in the order of their creation.
//
// A *group* is a set of threads that are equal (dependence/equal_threads.h) and created by main, one after the other;
// t(1), t(2), ... in the order of their creation. A thread *begins* with its first node: all its other nodes come
// behind it. Claim: if an execution reaches a goal, then so does one in which, for each k, t(k + 1) begins only after
// t(k) has begun.
//
// Take an execution and let the contents of the group's threads (all that they do) be exchanged so that the k-th
// content to begin is that of t(k). Contents that do not begin are given to the threads that are created and have
// none.
//   - t(k) is created before its content begins: among the first k threads that begin in the given execution one is
//     created k-th or later, and it begins after its creation. If a thread is created, all of the group before it are.
//   - The exchange is invisible to all others, apart from main's joins: equal threads write equal values but for their
//     numbers in locks, which nothing looks at. No thread of the group reads its control block (but for its status
//     when it starts), so what main wrote there does not matter.
//   - Joins. Either main joins no thread of the group, or all, one directly behind the other. If main has got through
//     all of them, all threads had ended, and the joins can be taken together where the last one was. If main has
//     not, its first joins are left out of the execution: main then has no goal behind them. In a deadlock main waits
//     at one of the joins, in the exchanged execution at another one of them.
//   - The goals are those of the exchanged execution up to the names of the threads, and all are asked for.
//
// What is known with it: the first node of t(k) comes before all nodes of t(k + 1) (read_links), and happens if one of
// these does (the guards of t(k + 1) contain that of t(k)'s first node). So threads that begin with taking one lock
// take it in a fixed order, and the links show it. That t(k) is joined only after it has ended must follow from the
// links that were found without the symmetry.
//
// Direction: may-drop. Groups may not be found.
#ifndef HEDDLE_ORDER_EQUAL_STARTS_H
#define HEDDLE_ORDER_EQUAL_STARTS_H

#include "dependence/equal_threads.h"
#include "order/read_links.h"

static inline EqualStarts equal_starts_none(void) {
  EqualStarts starts = {.any = false};
  for (unsigned t = 0; t < MOST_MASKED_THREADS; t++) starts.previous[t] = NO_ID;
  return starts;
}

// Finds groups in an unrolling with its links, which were made without symmetry. `equal` is of the unrolled program.
EqualStarts equal_starts_find(const EqualThreads *equal, const Events *events, const MustOrder *order);

// Are there groups, and has each of their threads a node in this unrolling?
bool equal_starts_fit(const Events *events, const EqualStarts *starts);
// Before the links are made: lets a thread's nodes and events happen only if its predecessor has begun.
void equal_starts_guard(Events *events, const EqualStarts *starts);

#endif
