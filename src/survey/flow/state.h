// What is known at one point of a function, in one context.
//
// Direction of the facts: `locks` is must (surely held); `running`, `published` and `linked` are may-add. A state that
// is not reached stands for no execution.
#ifndef HEDDLE_SURVEY_FLOW_STATE_H
#define HEDDLE_SURVEY_FLOW_STATE_H

#include "survey/sets.h"

typedef struct FlowState {
  bool reached;
  SetId locks;     // of Locks
  SetId running;   // threads that this thread created, and what may run on after those it joined: see flow_running
  SetId published; // registers of the function that may hold the address of a block that another thread may reach
  SetId linked;    // registers whose block's address is in a block that is not published
} FlowState;

// Elements of `running`: the template may run now, and what it creates; it, or a thread that may create it, was created
// at some time.
static inline uint32_t flow_running(uint32_t template_id) { return template_id * 2; }
static inline uint32_t flow_created(uint32_t template_id) { return template_id * 2 + 1; }

static inline FlowState flow_join(NumberSets *sets, FlowState a, FlowState b) {
  if (!a.reached) return b;
  if (!b.reached) return a;
  return (FlowState){true, set_intersection(sets, a.locks, b.locks), set_unite(sets, a.running, b.running),
                     set_unite(sets, a.published, b.published), set_unite(sets, a.linked, b.linked)};
}

static inline bool flow_equal(FlowState a, FlowState b) {
  return a.reached == b.reached && a.locks == b.locks && a.running == b.running && a.published == b.published &&
         a.linked == b.linked;
}

#endif
