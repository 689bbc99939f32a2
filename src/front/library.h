// The library models, as a table for people: which functions have one, of what kind it is, and what a program calls.
//
// The kinds are read off the models themselves, so that the table cannot tell anything else than they do. A model
//   - is `unknown` if the first thing that it does is to end the path with a reason;
//   - `guesses` if it may take any value where the real function has one result: no violation hangs on it;
//   - is `any` if it chooses: results, errors or bytes are any that the function may give;
//   - is `exact` otherwise.
// Reasons of other ends of the path inside a model are listed with it.
#ifndef HEDDLE_FRONT_LIBRARY_H
#define HEDDLE_FRONT_LIBRARY_H

#include "front/front.h"

// What the program uses of the library, then how many models there are. A unit without a program: all models.
void front_library(const FrontUnit *unit, Text *out);

#endif
