// What the files of the analysis of possibly-held locks share.
#ifndef HEDDLE_SURVEY_ORDERS_HELD_INTERNAL_H
#define HEDDLE_SURVEY_ORDERS_HELD_INTERNAL_H

#include "survey/orders/may_held.h"

typedef struct HeldState {
  bool reached;
  SetId may, released;
} HeldState;

// A call, as the flow met it in a context.
typedef struct HeldCall {
  uint32_t context, statement;
  SetId locks, running;
  uint32_t first_callee, callee_count; // contexts
  bool returns;
} HeldCall;
VECTOR(HeldCallVector, HeldCall);

typedef struct HeldContext {
  uint32_t first_call, call_count;
  HeldState exit;
  SetId entry;
  TakeVector deferred;
  bool root;
} HeldContext;
VECTOR(HeldContextVector, HeldContext);

struct MayHeld {
  SurveyFacts *facts;
  Flow *flow;
  LockNodes *nodes;
  HeldCallVector calls;
  U32Vector callees;
  HeldContextVector contexts;
  SetId called_back; // held while outside code runs
  SetId taken;       // nodes that are taken anywhere, each as any number of locks
  Bitset sticky;     // nodes that one release may not release: the thread may have taken them twice
  TakeVector takes;
  Map known;      // hashes of takes
  Map memo;       // hashes of what a name or a set was made of -> the set + 1
  bool recording; // all is known: takes are kept
  bool changed;
  bool cancels; // threads may be cut short
  uint32_t doubt;
};

// --- held_names.c ---
SetId held_add(MayHeld *h, SetId set, uint32_t name);
SetId held_some(MayHeld *h, SetId set, uint32_t name, bool several); // as locks of its nodes
SetId held_of_nodes(MayHeld *h, SetId set, SetId nodes);             // one of them
// Names in the caller, at the call, of what the callee calls so. With `known`, only those that are surely the lock.
SetId held_to_caller(MayHeld *h, const CodeStatement *call, uint32_t callee, bool arguments, SetId names, bool known);
SetId held_to_callee(MayHeld *h, const CodeStatement *call, uint32_t callee, bool arguments, SetId names);
// What is left of the set after the thread has released all of `released`.
SetId held_without(MayHeld *h, SetId set, SetId released);
void held_unlock(MayHeld *h, SetId entry, HeldState *state, CodeOperand lock);
SetId held_united(MayHeld *h, SetId entry, const HeldState *state); // all that may be held
bool held_is_parameter(const MayHeld *h, uint32_t name, uint32_t function);

// --- held_steps.c ---
HeldState held_join(MayHeld *h, HeldState a, HeldState b);
HeldState held_step(MayHeld *h, const HeldCall *call, HeldState state);

#endif
