// The C expressions of witnesses: without side effects, over the variables in scope.
//
// A value is known or unknown. These are unknown: a name that the scope gives no value, a dereference, a call, a
// floating-point constant, and an operation whose result depends on the type of an operand. The model has no types.
// Therefore an expression is evaluated twice, with the bits of variables read as signed and as unsigned numbers; it is
// true or false only if both evaluations agree. The caller treats "unknown" as "may be true". It can ask whether the
// expression has no value in this state only, or is of a form that has no value in any state.
//
// Nothing is stored: each function parses the text again. Every text is accepted as an argument; a text that is no
// expression is an error of the witness. Limits: 200 levels of nesting, paths of 255 characters, results of 64 bits.
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
// Does the expression divide by zero in this scope, or contain a form that has no value in any state (a dereference, an
// element or a member of a scalar, a call, a floating-point constant)?
bool expression_has_no_value(const char *text, const ExpressionScope *scope);
// Calls `visit` with the first name of each path in the expression, such as "queue" of "queue.head", or "\\result".
void expression_visit_names(const char *text, void (*visit)(void *context, const char *name), void *context);
// The constant c of an expression of the form `path == c` or `c == path`; false for all others.
bool expression_is_equation(const char *text, const char *path, int64_t *constant);

#endif
