// Notes on the choices that a violation depends on and that the program's own inputs do not explain: values that models
// of the library chose, values that undefined functions returned or wrote, memory that was never written, and waits for
// a condition variable that end without a signal.
//
// A choice is noted only if its value matters for the violation (relevance.h). Nothing is stored between calls; the
// notes are added to the result, which owns them.
#ifndef HEDDLE_REPORT_CHOICES_H
#define HEDDLE_REPORT_CHOICES_H

#include "verdict/trace.h"
#include "verdict/verdict.h"

enum { MOST_CHOICES = 8 };

// Adds a note for each choice of the trace that matters for its violation, at most MOST_CHOICES, and one note that
// counts the others. Returns a step that guesses a value that the real program determines, if the violation depends on
// one (Variable.guessed); else NULL.
const Step *choices_tell(const Program *program, const Trace *trace, Result *result);

// Adds a note for each replaced function that the trace calls (Step.replaced, of slices): its name, and what its first
// call returned, if that is told.
void choices_tell_replaced(const Program *program, const Trace *trace, Result *result);

#endif
