// What formulas read of a state: one letter of a word, which has one bit per observation of the program.
//
// The first step of a thread (START) belongs to its creation. So a thread that was created and has not taken it counts
// as being at the location after it. A thread that was not created is at no location. Limit: 64 observations.
#ifndef HEDDLE_JUDGE_OBSERVED_LETTER_H
#define HEDDLE_JUDGE_OBSERVED_LETTER_H

#include "judge/interpreter.h"

// The edge with the START step of a thread that is at its entry; NO_ID: the thread has taken it, or is main.
EdgeId concrete_start_edge(const Concrete *state, ThreadId thread);
bool concrete_is_created(const Concrete *state, ThreadId thread);
// The thread has not taken its START step, and was not created. (False for main.)
bool concrete_is_unborn(const Concrete *state, ThreadId thread);

// The letter of the state. If an atom depends on a cell that may hold any value, `undetermined` becomes such a cell;
// else it is left unchanged.
uint64_t concrete_letter(const Concrete *state, CellId *undetermined);
// Does an atom dereference a pointer to an object that the analysis of pointers did not foresee? Then its bit may be
// wrong.
bool concrete_letter_is_doubtful(const Concrete *state);

#endif
