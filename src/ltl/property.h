// A formula that is asked of a program, as the user gave it.
#ifndef HEDDLE_LTL_PROPERTY_H
#define HEDDLE_LTL_PROPERTY_H

#include "ltl/parse.h"

enum { MOST_ATOMS = 64 };

typedef struct LtlProperty {
  const char *text; // as it was given, without blanks around it
  LtlStore store;
  Ltl formula;         // to hold on all executions
  Ltl negation;        // what a violation satisfies
  LtlAtomVector atoms; // what they mean in a program: Program.observations, in this order
  bool fair;           // only executions count in which no thread that can always run is passed over for ever
  Arena arena;
} LtlProperty;

// False, with one line in `error`, if the text is no formula. To be freed in either case.
bool ltl_property_init(LtlProperty *property, const char *text, bool fair, Text *error, Account *account);
void ltl_property_free(LtlProperty *property);

#endif
