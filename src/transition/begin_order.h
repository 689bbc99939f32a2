// Symmetry: of equal threads, only the executions count in which they begin in the order of their creation.
//
// A *group* is a set of threads that are equal (dependence/equal_threads.h) and that main creates one after the other:
// t(1), t(2), ... A thread stands at its *beginning* from its creation on. It *begins* when it leaves that location, to
// which it never comes back. The *begin order* is the restriction that t(k + 1) begins only after t(k) has begun: where
// both stand at their beginnings, t(k + 1) is *held*. It is a function of the locations of the threads. Claim: if an
// execution of the program reaches a goal (an error, a cut, a race or a deadlock), then so does one that keeps the
// begin order. So engines may search the program with this restriction instead of the program.
//
// Take an execution that reaches a goal. What a thread does after its creation is its content. Let the contents of the
// group be exchanged so that the k-th content to begin is that of t(k); contents that do not begin go to the threads
// that are created and have none. Nothing else changes: the same steps happen in the same order.
//   - t(k) is created before its content begins. Among the first k contents that begin, one belongs to a thread that is
//     created k-th or later, and it begins after that creation. Every thread of the group that is created earlier in
//     the order is then created, too, because main comes to the creation of t(k + 1) only by that of t(k). Main creates
//     each of them once at most.
//   - Equal threads do the same at the same places, up to their own objects and their numbers in locks. No other thread
//     looks at these (equal_threads.h), but main at control blocks. The threads of a group do not read their control
//     blocks, so what main writes there does not matter. Main reads no more of them than whether the thread has ended,
//     in its join.
//   - Joins. A *join* of t is the only edge of main that reads `status` or `ended` of t. It is the only edge at its
//     source, cannot be taken before t has written one of them, and does the same whenever it can be taken. Apart from
//     what it reads of t it commutes with all steps of other threads. A *run* is a row of joins, of any threads, with
//     no other edges of main between them than such as commute with all steps of other threads. The threads of a group
//     are joined in the same run, or by no join at all. If main has got through the run, all contents have ended before
//     its last join, so what main does in the run can be put off to that moment, where the joins of the exchanged
//     contents are possible, too. If main has not, what it did of this run is left out of the execution. No race and
//     no error is at the places in between, so no goal is lost.
//     In a deadlock main stands in the run for ever; in the exchanged execution, after the edges of the run that are
//     possible, it does so, too, maybe at another join. (A wait that is suppressed is no join here.)
//   - The goals are those of the exchanged execution up to the names of the threads. Settled findings may tell threads
//     apart, and so do questions about all memory that is left at the end: the owner of a view with such uses no order.
//
// With several groups the exchanges are made one after the other; none changes the order in which another group begins.
//
// What reductions must know. The restricted program is one in which the beginning of t(k) enables t(k + 1): these two
// steps are dependent. While t(k) stands still, t(k + 1) does, if it is held. Beginning earlier disables no thread: a
// step that is possible can be moved to the front of an execution of the restricted program as in that of the program.
//
// Direction: may-drop. Groups may not be found.
#ifndef HEDDLE_TRANSITION_BEGIN_ORDER_H
#define HEDDLE_TRANSITION_BEGIN_ORDER_H

#include "transition/transition.h"

typedef struct BeginOrder {
  ThreadId previous[MOST_MASKED_THREADS];    // the thread that has to begin before it; NO_ID: none
  LocationId beginning[MOST_MASKED_THREADS]; // of the threads of groups
  ThreadMask held_first;                     // the threads that have a previous one
} BeginOrder;

// No thread is held.
static inline BeginOrder begin_order_none(void) {
  BeginOrder order = {.held_first = 0};
  for (unsigned t = 0; t < MOST_MASKED_THREADS; t++) order.previous[t] = order.beginning[t] = NO_ID;
  return order;
}

// Finds groups. The program of the transitions is a view that no pass will change any more, of at most
// MOST_MASKED_THREADS threads.
BeginOrder begin_order_find(const Transitions *transitions, Account *account);

// Is the thread held where the threads stand at these locations? (NO_ID: not started.)
static inline bool begin_order_holds(const BeginOrder *order, const LocationId *control, ThreadId t) {
  ThreadId previous = order->previous[t];
  if (previous == NO_ID || control[t] != order->beginning[t]) return false;
  return control[previous] == order->beginning[previous] || control[previous] == NO_ID;
}
// The threads that are held by a thread of the set, or by one that is. They take no step before a thread of the set
// does.
static inline ThreadMask begin_order_held_by(const BeginOrder *order, const LocationId *control, ThreadMask set) {
  ThreadMask held = 0, before;
  do {
    before = held;
    for (ThreadMask rest = order->held_first & ~held; rest != 0; rest &= rest - 1) {
      ThreadId t = first_thread(rest);
      if ((set | held) & thread_bit(order->previous[t]) && begin_order_holds(order, control, t)) held |= thread_bit(t);
    }
  } while (held != before);
  return held;
}

#endif
