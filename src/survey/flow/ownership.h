// Which registers hold the address of a block that only this thread can reach.
//
// Such a register is an *owner*: a block that the function makes (by an allocation, or as an automatic object), a
// parameter that gets the address of one, what a call returns, or a choice of these. A block is owned until its
// address may have come to memory that another thread reaches: the value is stored, kept by a function, or given to a
// thread. That a stored value may be the address is decided by what pointers may hold, not by how the value was
// computed.
//
// Direction of the facts: that a block is owned is must; an owner's register that is not in `published` owns its
// block.
#ifndef HEDDLE_SURVEY_FLOW_OWNERSHIP_H
#define HEDDLE_SURVEY_FLOW_OWNERSHIP_H

#include "survey/flow/state.h"
#include "survey/survey_facts.h"

typedef struct Ownership {
  SurveyFacts *facts;
  Bitset owners; // registers that may be owners
  Bitset blocks; // registers that may refer to a block
  Map found;     // function and register -> the owners in the function whose block the register may refer to
} Ownership;

void ownership_init(Ownership *ownership, SurveyFacts *facts);
void ownership_free(Ownership *ownership);

// The register that the address is computed from; NO_CODE_ID if it can be no owner.
uint32_t ownership_root(const Ownership *ownership, CodeOperand address);
bool ownership_holds(const Ownership *ownership, const FlowState *state, CodeOperand address);

// The register gets a new value: of a block that is owned, or not.
void ownership_define(Ownership *ownership, FlowState *state, uint32_t result, bool owned);
// The value may come to memory that others reach.
void ownership_publish(Ownership *ownership, FlowState *state, uint32_t function, CodeOperand value);
void ownership_publish_linked(Ownership *ownership, FlowState *state);
// The value is stored in a block that no other thread can reach.
void ownership_link(Ownership *ownership, FlowState *state, uint32_t function, CodeOperand value);

#endif
