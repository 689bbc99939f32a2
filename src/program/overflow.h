// Checks of signed arithmetic: what an OVERFLOW step checks, for messages.
//
// An OVERFLOW step stands before an operation whose result C may leave undefined. Its operand is the condition under
// which it does. Its assignments keep the operands of the operation, the left one first, in variables that no step
// reads: messages show them. A thread takes the step in any case, and the operation wraps: only the property
// no-overflow is violated.
#ifndef HEDDLE_PROGRAM_OVERFLOW_H
#define HEDDLE_PROGRAM_OVERFLOW_H

#include <stdbool.h>

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

typedef struct OverflowCheck {
  OverflowOperation operation;
  const char *type;               // of the left operand and the result; e.g. "int"
  bool left_signed, right_signed; // shifts may have unsigned operands
} OverflowCheck;

#endif
