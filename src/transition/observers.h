// Observers: from threads that compute the atoms of a formula to conditions over cells.
//
// The front end gives each atom a thread that nobody creates, so that layout, points-to and sharing know what it reads.
// Once the program is prepared, the paths through such a thread are composed: what it would leave as its result, as a
// function of the memory, is the atom's condition. Then the threads are taken away again. What atoms read and somebody
// writes stays marked as shared, so that nothing merges a write to it with another visible step.
//
// An atom only looks: it must not write, wait, allocate, choose inputs, loop, or reach anything that is not modelled;
// nor look at a thread-local variable, of which it would have a copy of its own (the front end puts a cut there). One
// that cannot be evaluated, because a pointer points nowhere or a divisor is zero, is false. Memory that may be freed is
// not looked at. Where an atom looks through a pointer that was not foreseen, it may be wrong: Program.unforeseen says so.
#ifndef HEDDLE_TRANSITION_OBSERVERS_H
#define HEDDLE_TRANSITION_OBSERVERS_H

#include "program/program.h"

// The last `count` threads of the prepared program are observers: takes them away and appends their conditions, in their
// order. False with the number of the bad one in `bad` and what is wrong with it in `error`; the program is useless then.
bool observers_take(Program *p, size_t count, TermVector *conditions, size_t *bad, Text *error, Account *account);

#endif
