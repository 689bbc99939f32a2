// A formula that is asked of a program, as the user gave it.
#ifndef HEDDLE_LTL_LTL_PROPERTY_H
#define HEDDLE_LTL_LTL_PROPERTY_H

#include "ltl/parse.h"

enum { MOST_ATOMS = 64 };

typedef struct LtlProperty {
  const char *text;   // as it was given, on one line and without comments
  const char *source; // as it was given: what positions are counted in
  const char *origin; // what messages put before a position: "" unless the caller sets it, to a file's name for example
  LtlStore store;
  Ltl formula;         // has to hold on all executions
  Ltl negation;        // a violation satisfies it
  LtlAtomVector atoms; // what they mean in a program: Program.observations, in this order
  bool fair;           // only fair executions count
  Arena arena;
} LtlProperty;

// False, with one line in `error`, if the text is no formula. To be freed in either case.
bool ltl_property_init(LtlProperty *property, const char *text, bool fair, Text *error, Account *account);
// Appends where a column of the source is: its origin, then source_position.
void ltl_property_position(const LtlProperty *property, size_t column, Text *out);
void ltl_property_free(LtlProperty *property);

#endif
