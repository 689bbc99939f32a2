#include "verdict/violation.h"

#include <assert.h>

static const struct {
  const char *name, *specification;
} rows[] = {
#define X(name, text, specification) {text, specification},
    VIOLATION_KINDS(X)
#undef X
};

const char *violation_kind_name(ViolationKind kind) {
  assert(kind < VIOLATION_KIND_COUNT);
  return rows[kind].name;
}

const char *violation_specification(ViolationKind kind) {
  assert(kind < VIOLATION_KIND_COUNT);
  return rows[kind].specification;
}
