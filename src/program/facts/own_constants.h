// Constants that a thread knows by itself, per location: the values of its own variables and of cells that no other
// thread touches. Handles of threads are an example; they decide which thread a join waits for. Such facts hold
// whatever other threads do.
//
// The facts are a greatest fixed point, forward along the edges. What an edge does to them is the caller's: the room
// `transition` composes the steps of a large block, and this room knows only single steps (path_constants.h).
// Direction: may-drop.
#ifndef HEDDLE_PROGRAM_FACTS_OWN_CONSTANTS_H
#define HEDDLE_PROGRAM_FACTS_OWN_CONSTANTS_H

#include "program/program.h"

typedef struct OwnConstant {
  Term variable, value; // the variable's or cell's term, and its constant value
} OwnConstant;
VECTOR(OwnConstantVector, OwnConstant);

typedef struct OwnConstants {
  OwnConstantVector *at; // per location: sorted by variable
  size_t count;
  Account *account;
} OwnConstants;

// Appends to `after`, which is empty, what holds after the edge if `before` holds before it, sorted. False: the edge
// cannot be taken.
typedef bool OwnConstantsAfter(void *context, EdgeId edge, const OwnConstantVector *before, OwnConstantVector *after);

void own_constants_init(OwnConstants *constants, const Program *p, OwnConstantsAfter *after, void *context,
                        Account *account);
void own_constants_free(OwnConstants *constants);

static inline const OwnConstantVector *own_constants_at(const OwnConstants *constants, LocationId at) {
  assert(at < constants->count);
  return &constants->at[at];
}

// Is it a thread's own: a thread variable, or a cell that no other thread touches?
bool is_own_variable(const Program *p, Term variable);
// Sets the value of a variable in a sorted list; TERM_NONE: it is not known any more.
void own_constants_set(OwnConstantVector *facts, Term variable, Term value);

#endif
