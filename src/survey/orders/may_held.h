// What is taken while what may be held: by the contexts of the flow, bottom-up and top-down at the same time.
//
// A context has a summary: what may be held at its end of what it took (`may`), and what it surely released of what
// its callers held (`released`). What its callers may hold is its `entry`. A lock that a function takes through its
// parameter is looked at in its callers, which know more of it.
//
// Elements of the sets are names of locks (lock_names.h). Each but LOCK_SOME stands for at most one lock that is held:
// if a lock is released that only one element may be, that element goes (a thread unlocks only what it holds).
//
// Direction of the facts: takes are may-add, `held` is may-add, `locks` must.
#ifndef HEDDLE_SURVEY_ORDERS_MAY_HELD_H
#define HEDDLE_SURVEY_ORDERS_MAY_HELD_H

#include "survey/flow/contexts.h"
#include "survey/orders/lock_nodes.h"

typedef enum TakeKind {
  TAKE_LOCK,
  TAKE_FOR_READING,
  TAKE_CALL,   // of a function that is not understood: may take what is OUTSIDE
  TAKE_EVENT,  // waits for a signal, a post, or others at a barrier
  TAKE_END,    // a join: waits for the end of a thread
  TAKE_SIGNAL, // not a wait: what others wait for
  TAKE_LEAVE   // not a wait: the thread ends
} TakeKind;

typedef struct Take {
  TakeKind kind;
  uint32_t statement, context; // that waits
  uint32_t name;               // of the lock, TAKE_LOCK and TAKE_FOR_READING; or NO_CODE_ID
  SetId nodes;                 // what may be taken
  SetId held;                  // names; in deferred takes only those that the callee and its callees took
  SetId released;              // surely not held, though a caller held it
  SetId locks, running;        // of the flow's state: surely held
  bool again;                  // the lock of this name may be held already
} Take;
VECTOR(TakeVector, Take);

typedef struct MayHeld MayHeld;
MayHeld *may_held_new(SurveyFacts *facts, Flow *flow, LockNodes *nodes);
void may_held_free(MayHeld *held);
// False: the deadline has passed.
bool may_held_run(MayHeld *held);
const TakeVector *may_held_takes(const MayHeld *held);
// A statement after which anything may be held, or NO_CODE_ID.
uint32_t may_held_doubt(const MayHeld *held);

#endif
