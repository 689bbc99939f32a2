// Checks: what a CHECK step asks. Its operand is the condition under which the property of its subject is violated. A
// thread takes the step in any case, and the other properties pass it over.
//
// A check of an overflow stands before an operation whose result C may leave undefined; if it is taken, the operation
// wraps. Its assignments keep the operands of the operation, the left one first, in variables that no step reads:
// messages show them. Checks of the cleanup and of tracking stand where the process ends (front/sites/leaks.c).
//
// A CHECK_SCOPE never fails. In programs that are asked about leaks it stands where a function returns: its assignments
// clear the function's pointer variables, and `ended` are its automatic objects. So the judge sees which step loses the
// last pointer to a block (judge/lost_pointer.h).
#ifndef HEDDLE_PROGRAM_CHECK_H
#define HEDDLE_PROGRAM_CHECK_H

#include <stdbool.h>
#include <stdint.h>

typedef enum CheckSubject {
  CHECK_OVERFLOW, // no-overflow
  CHECK_CLEANUP,  // valid-memcleanup: is a block left?
  CHECK_TRACK,    // valid-memtrack: the same; whether a pointer leads to it is in no term: facts/lost_blocks.h
  CHECK_SCOPE     // of no property: a function of the user's returns; see below
} CheckSubject;

typedef enum OverflowOperation {
  OVERFLOW_ADD,
  OVERFLOW_SUBTRACT,
  OVERFLOW_MULTIPLY,
  OVERFLOW_NEGATE, // the left operand only
  OVERFLOW_DIVIDE,
  OVERFLOW_REMAINDER,
  OVERFLOW_SHIFT_LEFT,
  OVERFLOW_SHIFT_RIGHT,
  OVERFLOW_UNKNOWN, // some operation; no operands are kept
  OVERFLOW_OPERATION_COUNT
} OverflowOperation;

typedef struct PropertyCheck {
  CheckSubject subject;
  // Of the cleanup and of tracking: the place whose blocks are asked for (Object.origin; NULL: any).
  const char *site, *file;
  uint32_t line;
  bool no_stack; // of CHECK_TRACK: no function of the thread is active
  // Of a scope: objects.
  const uint32_t *ended;
  uint32_t ended_count;
  // Of an overflow:
  OverflowOperation operation;
  const char *type;               // of the left operand and the result; e.g. "int"
  bool left_signed, right_signed; // shifts may have unsigned operands
} PropertyCheck;

#endif
