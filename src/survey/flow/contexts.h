// The flow of facts through the whole program: for each function and each way it is called, what is known at each
// statement.
//
// A *context* is a function in threads of one template, called in one state: surely-held locks, threads that may run,
// and parameters whose blocks are owned. A function that would get too many contexts in a template has one more, for
// all other states joined. Calls take the state at the end of the callee's context; states are joined until nothing
// changes.
//
// Direction of the facts: as in state.h; the contexts are may-add: a statement that no context reaches is never
// executed.
#ifndef HEDDLE_SURVEY_FLOW_CONTEXTS_H
#define HEDDLE_SURVEY_FLOW_CONTEXTS_H

#include "survey/flow/ownership.h"
#include "survey/flow/state.h"
#include "survey/survey_facts.h"

typedef struct FlowContext {
  uint32_t function, template_id; // all that may come at any time have the template of the first
  FlowState entry, exit;
  bool result_published; // the block whose address it returns may not be owned
  bool fixed;            // the entry never changes: contexts of this entry are this one
  bool waits;            // in the list of contexts to be computed again
  uint32_t caller;       // the first context that called it; NO_CODE_ID: a routine of a thread
} FlowContext;

typedef struct Flow Flow;
Flow *flow_new(SurveyFacts *facts);
void flow_end(Flow *flow);
bool flow_run(Flow *flow); // false: the deadline has passed

uint32_t flow_context_count(const Flow *flow);
const FlowContext *flow_context(const Flow *flow, uint32_t id);

// Calls `visit` for every statement that is reached, in every context, in order: with the state before and after it.
typedef void (*FlowVisit)(void *argument, uint32_t context, uint32_t statement, const FlowState *before,
                          const FlowState *after);
void flow_visit(Flow *flow, FlowVisit visit, void *argument);
// During a visit: the contexts that the statement's call enters.
const uint32_t *flow_entered(const Flow *flow, uint32_t *count);

// May an access in a thread of template `a`, with `running` of its state, happen at the same time as one of template
// `b`?
bool flow_concurrent(const Flow *flow, uint32_t a, SetId a_running, uint32_t b, SetId b_running);
// Was what the routine of the thread gets given to it by its creator, and to nothing else, and may the address be in
// it? The creator may still use it, also while the thread owns it.
bool flow_may_be_given(const Flow *flow, uint32_t template_id, CodeOperand address);
// The creation whose thread has surely ended after the join; NO_CODE_ID: it is not known.
uint32_t flow_joined(const Flow *flow, uint32_t join);
const Ownership *flow_ownership(const Flow *flow);

#endif
