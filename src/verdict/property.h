// Properties: what a check decides about a program.
//
// There is one table. The parser of the command line, the help text and the output are derived from it. A check asks
// for one property or for several (PropertySet); SV-COMP formulas that Heddle cannot decide are refused with a message.
#ifndef HEDDLE_VERDICT_PROPERTY_H
#define HEDDLE_VERDICT_PROPERTY_H

#include "program/passes/passes.h"

// X(NAME, command-line name, what must be preserved, summary)
#define PROPERTIES(X)                                                                                                  \
  X(UNREACH_CALL, "unreach-call", PRESERVES_REACHABILITY, "no assertion fails and no reach_error() is reached")        \
  X(NO_DATA_RACE, "no-data-race", PRESERVES_RACES, "no two conflicting accesses are unordered by synchronisation")     \
  X(NO_DEADLOCK, "no-deadlock", PRESERVES_DEADLOCKS, "no state in which a thread waits and no thread can run")         \
  X(VALID_MEMSAFETY, "valid-memsafety", PRESERVES_MEMORY, "no invalid dereference, no invalid or double free")         \
  X(NO_DIVISION_BY_ZERO, "no-division-by-zero", PRESERVES_MEMORY, "no integer division by zero")                       \
  X(NO_OVERFLOW, "no-overflow", PRESERVES_MEMORY, "no signed arithmetic overflows, no shift is undefined")             \
  X(VALID_MEMCLEANUP, "valid-memcleanup", PRESERVES_MEMORY, "every block is freed before the process ends")            \
  X(VALID_MEMTRACK, "valid-memtrack", PRESERVES_MEMORY, "when the process ends, a pointer leads to each block")        \
  X(LTL, "ltl", PRESERVES_LIVENESS, "the formula of --ltl holds on all executions")

typedef enum Property {
#define X(name, text, preserves, summary) PROPERTY_##name,
  PROPERTIES(X)
#undef X
      PROPERTY_COUNT
} Property;

const char *property_name(Property property);
const char *property_summary(Property property);
unsigned property_preserves(Property property);
// Is the property violated where the operand of the check holds?
bool property_has_check(Property property, const PropertyCheck *check);

// A set of properties: bits 1 << Property.
typedef unsigned PropertySet;
static inline bool properties_have(PropertySet set, Property property) { return set >> property & 1; }
static inline PropertySet property_alone(Property property) { return 1u << property; }
unsigned properties_count(PropertySet set);
PropertySet properties_usual(void); // what a check asks that names no property

// Accepts a name, `all` (all but formulas), or the path of an SV-COMP .prp file, whose CHECK lines are read. Returns
// false with a message in `error` when it is none of them.
bool properties_parse(const char *text, PropertySet *set, Text *error);
// The property of an SV-COMP formula, with or without `CHECK( init(main()), LTL(...) )` around it; false if
// unsupported.
bool property_parse_formula(const char *text, Property *property);

// The contents of a property file, whose name is for messages: what its lines CHECK(...) ask for.
bool properties_parse_lines(const char *path, const Text *content, PropertySet *set, Text *error);

#endif
