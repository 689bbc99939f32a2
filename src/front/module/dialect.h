// What gcc accepts and clang refuses.
//
// Clang is told once and for all to take what gcc only warns about. For the rest there are remedies: options that make
// clang read a construct as gcc does. A remedy may change the meaning of other names (it defines macros), so that it is
// given only to a file whose diagnostics ask for it, in another run of clang. What no remedy helps against gets a line
// of advice.
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
