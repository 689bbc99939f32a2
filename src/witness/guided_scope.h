// The values of the names in a witness's expressions: in one state of a guided search, for one thread at one location.
//
// A name means a local if exactly one variable of the thread has it and is live at the location. Else it means the one
// cell of that name, of a global or of the thread's own objects. Other names have no value. The scope points to the
// state and owns nothing; it is valid as long as the state does not change.
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
bool guided_scope_has_no_value(const GuidedScope *scope, const char *expression); // see expression_has_no_value

#endif
