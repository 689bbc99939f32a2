// Which locks a call may release: per function, the areas of all locks that it, or what it calls, may unlock.
//
// Direction of the fact: may-add. The area OUTSIDE in a set stands for everything that outside code reaches.
#ifndef HEDDLE_SURVEY_SYNCHRONISATION_RELEASED_H
#define HEDDLE_SURVEY_SYNCHRONISATION_RELEASED_H

#include "survey/sets.h"
#include "survey/synchronisation/semaphores.h"

typedef struct Released {
  U32Vector sets; // per function: a SetId, of areas
  SetId outside;  // by code that is not the program's
} Released;

void released_init(Released *released, const Code *code, const Pointing *pointing, const Calls *calls,
                   const Semaphores *semaphores, NumberSets *sets, Account *account);
void released_free(Released *released);
static inline SetId released_by(const Released *released, uint32_t function) {
  return *U32Vector_at(&released->sets, function);
}

#endif
