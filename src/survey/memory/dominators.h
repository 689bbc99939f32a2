// Which blocks of a function every way to a block goes through.
//
// Blocks have their numbers within the function, from 0 (the entry). All facts are exact.
#ifndef HEDDLE_SURVEY_MEMORY_DOMINATORS_H
#define HEDDLE_SURVEY_MEMORY_DOMINATORS_H

#include "base/bitset.h"
#include "base/vector.h"
#include "front/code/code.h"

typedef struct Dominators {
  U32Vector parents;   // per block: its immediate dominator; of the entry: itself
  U32Vector only_edge; // per block: the only edge that leads to it, in Code.edges; NO_CODE_ID: there are more, or none
} Dominators;

void dominators_init(Dominators *dominators, const Code *code, uint32_t function, Account *account);
void dominators_free(Dominators *dominators);

#endif
