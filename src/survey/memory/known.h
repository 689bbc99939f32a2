// What is known of registers at a statement, because of what every way to it went through: conditions of branches and
// accesses.
//
// A function is walked along its dominators: what is found out in a block holds in all that it dominates, and is taken
// back behind them. A register has one value from its definition to its uses, so that what was found out about it
// before stays true.
//
// Direction of the facts: must.
#ifndef HEDDLE_SURVEY_MEMORY_KNOWN_H
#define HEDDLE_SURVEY_MEMORY_KNOWN_H

#include "survey/memory/dominators.h"

enum {
  KNOWN_NOT_NULL = 1,
  KNOWN_NOT_NEGATIVE = 2,
  KNOWN_NOT_LARGEST = 4 // less than some other value of its type, with sign
};

typedef struct KnownChange {
  uint32_t reg;
  uint8_t flags;
  int64_t below;
} KnownChange;
VECTOR(KnownChangeVector, KnownChange);
VECTOR(I64Vector, int64_t);

typedef struct Known {
  const Code *code;
  ByteVector flags;          // per register
  I64Vector below;           // per register: its value, with sign, is less; INT64_MAX: not known
  KnownChangeVector changes; // what was there before, to be taken back
} Known;

void known_init(Known *known, const Code *code, Account *account);
void known_free(Known *known);

// Calls `visit` for every statement of the function, with what is known before it; a dominating one comes first.
typedef void (*KnownVisit)(void *argument, const Known *known, uint32_t statement);
void known_walk(Known *known, uint32_t function, KnownVisit visit, void *argument);

// The statement whose result the operand is; NULL: it is no register, or a parameter.
const CodeStatement *known_definition(const Code *code, CodeOperand operand);
// The result is the first operand, bit by bit: a cast, a choice of one, a move by nothing.
bool known_same(const CodeStatement *s);
// The pointers that the statement dereferences are its operands from 0 on: how many.
uint32_t known_dereferenced(const CodeStatement *s);

#endif
