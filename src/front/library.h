// The library models as a table for the user: which functions have a model, of what kind it is, and which of them a
// program calls.
//
// The kind is computed from the code of the model, so that the table cannot contradict it. A model
//   - is `unknown` if the first call in its body ends the path with a reason;
//   - `guesses` if it returns any value although the real function has one result: a violation that depends on such a
//     value does not count;
//   - is `any` if it chooses: its results, errors or bytes are any that the function may give;
//   - is `exact` otherwise.
// The table also lists the reasons of other places inside a model at which the path ends.
#ifndef HEDDLE_FRONT_LIBRARY_H
#define HEDDLE_FRONT_LIBRARY_H

#include "front/front.h"

// Appends the library functions that the program uses. For a unit without a program: all models and their number.
void front_library(const FrontUnit *unit, Text *out);

#endif
