// States of the unreduced program as the explicit search for formulas sees them, and the steps between them.
//
// A state is what has influence (influence.h) on how executions go on and on what is observed of them, and whether the
// process has ended. States that differ in anything else, or in dead variables only, are one. States are numbered;
// contents are stored by components (store.h).
//
// The first step of a thread (START) belongs to its creation: it is taken as soon as no thread is inside an
// atomic section. So in no state a thread stands in front of it.
//
// Steps are those of the judge's interpreter. A choice that can be read again is enumerated up to `input_bits`, else
// sampled, and `sampled` says at which steps; any other is 0.
#ifndef HEDDLE_EXPLICIT_LTL_LTL_STATES_H
#define HEDDLE_EXPLICIT_LTL_LTL_STATES_H

#include "explicit/chooser.h"
#include "explicit/store.h"
#include "judge/influence.h"

// A part of the packed state.
typedef struct PackedItem {
  enum { PACKED_VARIABLE, PACKED_CELL, PACKED_FLAG, PACKED_LIFE, PACKED_EXTENT } kind;
  uint32_t index;
  uint32_t offset; // in the vector of all components
  uint8_t bytes;
} PackedItem;
VECTOR(PackedItemVector, PackedItem);

typedef struct LtlStates {
  const Program *program;
  Influence influence;
  PackedItemVector items;
  uint32_t *base, *size; // per component: 0 is memory, 1+t is thread t
  uint8_t *vector;       // scratch: a packed state
  uint32_t *tuple;       // scratch
  uint32_t vector_bytes;
  StateStore store;
  Concrete after; // scratch
  InputSamples samples;
  unsigned input_bits;
  Bitset sampled;    // steps whose choices were not enumerated in full
  Bitset unforeseen; // steps that meet an address which the static facts had not foreseen, or cannot be executed
  Bitset cuts_met;
  Account *account;
} LtlStates;

void ltl_states_init(LtlStates *states, const Program *program, unsigned input_bits, Account *account);
void ltl_states_free(LtlStates *states);

StateId ltl_states_intern(LtlStates *states, const Concrete *state, bool ended);
// The state of that number; what has no influence stays in `state` as it was. Has the process ended?
bool ltl_states_load(const LtlStates *states, StateId id, Concrete *state);

typedef struct LtlStep {
  ThreadId thread;
  EdgeId edge;
  StepOutcome outcome;
  const Bits *choices;
  size_t choice_count;
  const Concrete *after; // TAKEN: with first steps of threads; HALT and ERROR: where the process ended
  const EdgeId *started; // those first steps
  size_t started_count;
} LtlStep;
typedef void LtlVisit(void *context, const LtlStep *step);

// Calls `visit` for each way in which the thread tries a step from the state, whatever comes of it.
void ltl_states_each_step(LtlStates *states, const Concrete *from, ThreadId thread, LtlVisit *visit, void *context);

#endif
