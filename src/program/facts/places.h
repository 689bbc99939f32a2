// Places that formulas speak of: where a thread stands before a step of a line, or of the statement behind a label.
//
//   function:line   function:label   label       any thread
//   ..., 0.1                                     the thread of that path
//
// at(label) is at(function:N), with N the line of the first step behind the label: all steps of that line count. A
// label behind which such a line begins with other code, as in `x = 1; L: y = 2;`, is refused; so is one behind which
// the code branches, or calls a function of the program, before there is a step.
//
// A thread stands at the line of the step that it is going to take. What a called function does is at the lines of that
// function; what a library function does is at the line of its call.
#ifndef HEDDLE_PROGRAM_FACTS_PLACES_H
#define HEDDLE_PROGRAM_FACTS_PLACES_H

#include "program/program.h"

// Marks the locations of the place (Location.observed). False, with one line in `error`, if there are none.
bool program_observe_place(Program *p, uint32_t observation, const char *place, Text *error);

#endif
