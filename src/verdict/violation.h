// Kinds of violations: what makes an execution a counterexample.
//
// The judge determines the kind. Code decides by the kind; the text of a violation is only for human readers.
#ifndef HEDDLE_VERDICT_VIOLATION_H
#define HEDDLE_VERDICT_VIOLATION_H

#include "base/text.h"

// X(NAME, name in JSON, specification in witnesses; NULL: there is none)
#define VIOLATION_KINDS(X)                                                                                             \
  X(NONE, "none", NULL)                                                                                                \
  X(ERROR, "error reached", "G ! call(reach_error())")                                                                 \
  X(RACE, "data race", "G ! data-race")                                                                                \
  X(DEADLOCK, "deadlock", "G ! deadlock")                                                                              \
  X(DEREFERENCE, "invalid dereference", "G valid-deref")                                                               \
  X(FREE, "invalid free", "G valid-free")                                                                              \
  X(DIVISION, "division by zero", "G ! division-by-zero")                                                              \
  X(OVERFLOW, "overflow", "G ! overflow")                                                                              \
  X(CLEANUP, "memory not freed", "G valid-memcleanup")                                                                 \
  X(LEAK, "leak", "G valid-memtrack")                                                                                  \
  X(FORMULA, "formula violated", NULL)
typedef enum ViolationKind {
#define X(name, text, specification) VIOLATION_##name,
  VIOLATION_KINDS(X)
#undef X
      VIOLATION_KIND_COUNT
} ViolationKind;

const char *violation_kind_name(ViolationKind kind);
const char *violation_specification(ViolationKind kind); // or NULL

#endif
