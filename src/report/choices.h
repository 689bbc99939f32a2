// What a violation hangs on beside the program: values that models of the library chose, what undefined functions
// return or write, memory that was never written, waits that end without a signal.
#ifndef HEDDLE_REPORT_CHOICES_H
#define HEDDLE_REPORT_CHOICES_H

#include "verdict/trace.h"
#include "verdict/verdict.h"

// Adds a note for each choice of the trace that matters for its violation, at most MOST_CHOICES.
enum { MOST_CHOICES = 8 };
// Gives a step that guesses a value which the real program determines, if the violation hangs on one
// (Variable.guessed).
const Step *choices_tell(const Program *program, const Trace *trace, Result *result);

#endif
