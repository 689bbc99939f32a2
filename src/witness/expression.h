// The C expressions of witnesses: side-effect-free, over the variables in scope.
//
// A value is known or not. What is not: a name that does not denote a scalar known here, a dereference, a call, a
// floating-point constant, an operation whose result depends on the type of an operand in a way that the value alone
// does not tell. The model knows no types, so that an expression is evaluated twice, with cells read as signed and as
// unsigned; it is true or false only if both agree. The caller treats "unknown" as "may be true", and can ask why it is
// unknown: for a value that is not known in this state, or for a form that is evaluated in no state.
#ifndef HEDDLE_WITNESS_EXPRESSION_H
#define HEDDLE_WITNESS_EXPRESSION_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum Truth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_UNKNOWN } Truth;

// The value of a name, a path such as "queue.head" or "a[3].x", or "\result": its bits and how many; false if unknown.
typedef struct ExpressionScope {
  bool (*value_of)(void *context, const char *path, uint64_t *value, unsigned *width);
  void *context;
} ExpressionScope;

// True if the text can be read as an expression; else a line in `error`.
bool expression_valid(const char *text, Text *error);
Truth expression_evaluate(const char *text, const ExpressionScope *scope);
// Of an expression that evaluates to "unknown": does it divide by zero here, or hold what is evaluated in no state (a
// dereference, an element or a member of a scalar, a call, a floating-point constant)?
bool expression_is_beyond(const char *text, const ExpressionScope *scope);
// Calls `look` with each name that the expression begins a path with, such as "queue" of "queue.head", or "\\result".
void expression_names(const char *text, void (*look)(void *context, const char *name), void *context);
// The constant c of an expression of the form `path == c` or `c == path`; false for all others.
bool expression_is_equation(const char *text, const char *path, int64_t *constant);

#endif
