// When two threads depend on each other: the rule that all reductions use.
//
// Two steps of different threads are independent in a state if neither enables or disables the other and both orders
// lead to the same state. Steps that share no resource, or only read those that they share, are independent. So a
// *conflict* of an action with the future of another thread (the resources that it may touch from its location on) is a
// resource that both touch and one of them writes. What matters depends on the member, the thread that stands still:
//
//   - The member may be enabled. Its action conflicts with what it reads and the other may write, and with what it
//     writes and the other may read or write.
//   - The member is blocked. It takes no step that could disturb another. What matters is what may enable it: a write
//     of the other thread to something that the member's action reads.
//   - The member is blocked at locks only. A thread that has to take the lock before it writes it cannot enable the
//     member, so only writes count that are RELEASES (may_touch.h).
//
// Whether a step can be taken is itself a matter of resources: a lock, the status of a thread that is joined, the start
// of a thread are read and written like variables. Two lock operations on one mutex are in conflict, although neither
// writes while it is blocked.
//
// The circuit builds gates, not sets (circuit/model/scheduler.h). It applies the same rule to literals.
#ifndef HEDDLE_DEPENDENCE_CONFLICT_H
#define HEDDLE_DEPENDENCE_CONFLICT_H

#include "dependence/may_touch.h"

// --- on words of rows ---

// The resources over which an enabled member with these next touches conflicts with a future.
static inline uint64_t conflict_of_enabled(uint64_t reads, uint64_t writes, uint64_t later_reads,
                                           uint64_t later_writes) {
  return (reads & later_writes) | (writes & (later_reads | later_writes));
}
// The resources over which a future may enable a blocked member with these next touches.
static inline uint64_t conflict_of_blocked(uint64_t reads, uint64_t later_writes) { return reads & later_writes; }

// --- on lists ---

// What one action does with one resource.
typedef struct ResourceTouch {
  uint32_t resource;
  bool reads, writes;
} ResourceTouch;
VECTOR(ResourceTouchVector, ResourceTouch);

// What the next action of a thread touches; not owned. Each resource occurs once.
typedef struct NextTouches {
  const ResourceTouch *touches;
  uint32_t count;
} NextTouches;

// May a thread at location `other` later do something that conflicts with these touches of an enabled thread?
bool touches_conflict_later(const MayTouch *touch, NextTouches next, LocationId other);
// May a thread at location `other` later enable a blocked thread with these touches? `writes` is the row that counts:
// LATER_RELEASES if the thread is blocked at locks only, else LATER_WRITES.
bool touches_enabled_later(const MayTouch *touch, NextTouches next, TouchRow writes, LocationId other);
// Do two actions conflict with each other?
bool touches_conflict_now(NextTouches a, NextTouches b);

#endif
