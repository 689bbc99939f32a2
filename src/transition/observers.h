// Observers: from threads that compute the atoms of a formula to conditions over cells.
//
// The front end gives each atom a thread that no thread creates, so that layout, points-to and sharing know what the
// atom reads. When the program is prepared, the paths through such a thread are composed. The result that the thread
// would leave, as a function of the memory, is the atom's condition. Then the threads are removed. A cell that an atom
// reads and a thread writes stays marked as shared, so that no pass merges a write to it with another visible step.
//
// An atom only reads. It must not write, wait, allocate, choose inputs, loop, or reach anything that is not modelled.
// It must not read a thread-local variable either, because it would have its own copy (the front end puts a cut there).
// An atom that cannot be evaluated, because a pointer is invalid or a divisor is zero, is false. An atom must not read
// memory that may be freed. If an atom dereferences a pointer that was not foreseen, its value may be wrong:
// Program.unforeseen says when.
#ifndef HEDDLE_TRANSITION_OBSERVERS_H
#define HEDDLE_TRANSITION_OBSERVERS_H

#include "program/program.h"

// The last `count` threads of the prepared program are observers. Removes them and appends their conditions, in their
// order. False: an atom is not allowed; `bad` is its number, `error` says why, and the program cannot be used any more.
bool observers_take(Program *p, size_t count, TermVector *conditions, size_t *bad, Text *error, Account *account);

#endif
