// What gcc accepts and clang refuses.
//
// Options that make clang accept what gcc only warns about are given for every file. For other constructs there are
// remedies: options that make clang read a construct as gcc does. A remedy defines macros and may thereby change the
// meaning of other names; so it is given only to a file whose diagnostics ask for it, in another run of clang. Where
// there is no remedy, the user gets a line of advice.
#ifndef HEDDLE_FRONT_MODULE_DIALECT_H
#define HEDDLE_FRONT_MODULE_DIALECT_H

#include "base/vector.h"

typedef uint32_t RemedySet; // bits; 0: none

void dialect_options(StringVector *arguments); // for every file
// The remedies that the diagnostics of a failed run ask for.
RemedySet dialect_remedies(const char *diagnostics);
void dialect_remedy_options(RemedySet remedies, StringVector *arguments);
// What the user can do about a failed run; NULL if nothing is known.
const char *dialect_advice(const char *diagnostics);

#endif
