// The state of a guided search: one concrete state, the position in the witness and the numbers of the threads, with a
// log that can undo every step and a hash that is updated at every change.
//
// Variables that are no longer live are set to zero, so that states that differ only in them are equal.
//
// Invariants: `hash` is the exclusive or of the hashes of all items that have changed since the initial state, old and
// new value; undoing to mark 0 restores the initial state and its hash. All changes go through guided_state_step and
// guided_state_set. The state owns its arrays and points to the program.
#ifndef HEDDLE_WITNESS_GUIDED_STATE_H
#define HEDDLE_WITNESS_GUIDED_STATE_H

#include "judge/interpreter.h"
#include "program/facts/facts.h"

typedef enum ItemKind {
  ITEM_VARIABLE,
  ITEM_CELL,
  ITEM_INDETERMINATE,
  ITEM_HEAP,
  ITEM_EXTENT,
  ITEM_LOCATION,
  ITEM_POSITION, // index 0: segment; 1: which of its targets were passed
  ITEM_NUMBER,   // of a thread, plus 1; index `threads`: how many have one
  ITEM_NAMED     // of a thread: its present statement passed a waypoint when it began
} ItemKind;

typedef struct LogEntry {
  ItemKind kind;
  uint32_t index;
  Bits old;
} LogEntry;
VECTOR(LogEntryVector, LogEntry);

typedef struct GuidedState {
  const Program *program;
  Concrete concrete;
  uint32_t position[2];
  uint32_t *numbers; // per thread: its number plus 1, 0: none; then how many threads have one
  bool *named;       // per thread: see ITEM_NAMED
  LiveVariables live;
  LogEntryVector log;
  uint64_t hash[2];
  Account *account;
} GuidedState;

void guided_state_init(GuidedState *state, const Program *program, Account *account);
void guided_state_free(GuidedState *state);

// Executes a step. If the outcome is not OUTCOME_TAKEN, nothing has changed.
StepOutcome guided_state_step(GuidedState *state, ThreadId thread, EdgeId edge, Choices *choices);
void guided_state_set(GuidedState *state, ItemKind kind, uint32_t index, uint32_t value);
// Undoes all changes since the log had `mark` entries.
void guided_state_undo(GuidedState *state, size_t mark);

#endif
