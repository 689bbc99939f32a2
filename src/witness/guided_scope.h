// What names in a witness's expressions mean in a state of a guided search, for one thread at one location.
//
// A local is known if exactly one variable of that name is live there in the thread; a global by the name of its cell.
#ifndef HEDDLE_WITNESS_GUIDED_SCOPE_H
#define HEDDLE_WITNESS_GUIDED_SCOPE_H

#include "witness/expression.h"
#include "witness/guided_state.h"

typedef struct GuidedScope {
  const GuidedState *state;
  ThreadId thread;
  LocationId location;
  bool has_result; // `\result` is `result`, of `result_width` bits
  uint64_t result;
  unsigned result_width;
} GuidedScope;

Truth guided_scope_truth(const GuidedScope *scope, const char *expression);
bool guided_scope_is_beyond(const GuidedScope *scope, const char *expression); // see expression_is_beyond

#endif
