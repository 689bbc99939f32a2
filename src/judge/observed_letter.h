// What formulas read of a state: one letter of a word, a bit per observation of the program.
//
// A thread that was created counts as standing behind its first step (START), which belongs to its creation; nobody is
// anywhere before that.
#ifndef HEDDLE_JUDGE_OBSERVED_LETTER_H
#define HEDDLE_JUDGE_OBSERVED_LETTER_H

#include "judge/interpreter.h"

// The edge by which a thread starts that stands at its entry, or NO_ID: it has started, or is main.
EdgeId concrete_start_edge(const Concrete *state, ThreadId thread);
bool concrete_is_created(const Concrete *state, ThreadId thread);
// It stands before its first step, and nobody created it.
bool concrete_is_unborn(const Concrete *state, ThreadId thread);

// The letter of the state. `undetermined` becomes a cell that holds any value and that an atom depends on, if there is
// one.
uint64_t concrete_letter(const Concrete *state, CellId *undetermined);
// Does an atom look through a pointer that was not foreseen? Then its bit may be wrong.
bool concrete_letter_is_doubtful(const Concrete *state);

#endif
