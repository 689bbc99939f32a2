// What the files of the flow share.
#ifndef HEDDLE_SURVEY_FLOW_INTERNAL_H
#define HEDDLE_SURVEY_FLOW_INTERNAL_H

#include "survey/flow/contexts.h"
#include "survey/flow/handles.h"

VECTOR(FlowContextVector, FlowContext);
VECTOR(BitsetVector, Bitset);

typedef struct Dependent {
  uint32_t context, next; // in Flow.dependents; 0: the last
} Dependent;
VECTOR(DependentVector, Dependent);

struct Flow {
  SurveyFacts *facts;
  Ownership ownership;
  Handles handles;
  FlowContextVector contexts;
  U32Vector same;             // per context: the next one of the same template and function, + 1
  U32Vector first_dependents; // per context: in `dependents`
  DependentVector dependents; // contexts that call it; element 0 is none
  Map by_function;            // template and function -> the newest context + 1
  Map known_dependents;       // caller and callee
  Map joined;                 // template and function -> the context for all other states
  U32Vector roots;            // per template: the context of its routine, or NO_CODE_ID
  U32Vector starts;           // contexts of the main thread that no call began: constructors and main
  BitsetVector overlaps;      // per template: pairs that it has running at the same time
  U32Vector work;             // the last is next
  U32Vector entered;          // contexts that the statement which is visited calls
};

// The context that a function is called in; `caller` is computed again when its end changes.
uint32_t flow_enter(Flow *flow, uint32_t caller, uint32_t function, FlowState entry);
// The states in which threads of the template begin, joined.
void flow_begin_thread(Flow *flow, uint32_t template_id, FlowState entry);
// The thread of the context ends here, by a call.
void flow_note_end(Flow *flow, uint32_t context, FlowState state);
// The states in which threads of the template end, joined; `context` is computed again when it changes.
FlowState flow_end_of_thread(Flow *flow, uint32_t context, uint32_t template_id);
void flow_note_creation(Flow *flow, uint32_t creator, SetId running, uint32_t template_id);

// One statement. The state may become unreached.
void flow_step(Flow *flow, uint32_t context, uint32_t statement, FlowState *state);
void flow_step_call(Flow *flow, uint32_t context, uint32_t statement, FlowState *state);
FlowState flow_through_library(Flow *flow, uint32_t context, uint32_t statement, uint32_t function, FlowState state);
FlowState flow_through_unknown(Flow *flow, uint32_t context, uint32_t statement, FlowState state);
FlowState flow_through_kept(Flow *flow, uint32_t context, FlowState state); // functions that outside code knows
void flow_unlock(Flow *flow, FlowState *state, CodeOperand lock);
// What is known on the edge: results of attempts to lock.
FlowState flow_on_edge(Flow *flow, uint32_t context, const CodeBlock *block, const CodeEdge *edge, FlowState state);
// All threads of the template have ended, and were joined.
void flow_forget_thread(Flow *flow, uint32_t context, uint32_t template_id, FlowState *state);

// States at the beginnings of the function's blocks in the context, until nothing changes. The caller frees the array
// of block_count states. Sets the context's end.
FlowState *flow_solve(Flow *flow, uint32_t context);
bool flow_work(Flow *flow);   // computes what waits; false: the deadline has passed
bool flow_settle(Flow *flow); // until flow_visit meets no new contexts; false: the same

#endif
