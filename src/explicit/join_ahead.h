// Which threads main is about to join, one after the other, without doing anything else in between.
//
// A *join* of a worker k is a transition of main that can be taken if and only if k has finished, and does the same
// whenever it is taken. This is found by trying: main's transition is run on copies of the state in which k has not
// finished, has set `ended`, or has set `status`. In all runs it may touch only what main alone touches, and read
// `status` and `ended` of k. It makes no choice and does not come to a cut or to the end of the process. Where k has
// not finished, main waits.
//
// The answer depends on main's component and on the threads that exist (`group`), on nothing else: what other threads
// write is not read.
#ifndef HEDDLE_EXPLICIT_JOIN_AHEAD_H
#define HEDDLE_EXPLICIT_JOIN_AHEAD_H

#include "dependence/equal_threads.h"
#include "explicit/successors.h"

enum { CONTROL_FIELDS = CONTROL_SIZE / 4 };

typedef struct FieldPlace {
  uint32_t offset; // in the state vector
  uint8_t bytes;
} FieldPlace;

// Where the control blocks of the workers stand in the state. An offset of NO_ID: not in the state.
typedef struct ControlCells {
  ThreadMask workers;
  Place status[MOST_MASKED_THREADS], ended[MOST_MASKED_THREADS];
  // The cells that are exchanged with the thread, outside of its component, and those that stay.
  FieldPlace moved[MOST_MASKED_THREADS][CONTROL_FIELDS], fixed[MOST_MASKED_THREADS][CONTROL_FIELDS];
  uint32_t moved_count[MOST_MASKED_THREADS], fixed_count[MOST_MASKED_THREADS];
  Bitset watched; // resources: `status` and `ended` of workers
} ControlCells;

// What of (status, ended) lets a join pass: bit 2 * (status is FINISHED) + (ended is not 0).
typedef uint8_t EndStates;

typedef struct JoinAhead {
  ThreadMask group;   // of the state that was looked at
  ThreadMask threads; // that are joined; none: main's next transition is no join
  uint32_t moves;     // transitions of main
  EndStates passes;
} JoinAhead;

// The state (status, ended) of a worker in the vector, as a number of a bit of EndStates.
unsigned worker_end_state(const ControlCells *control, const uint8_t *vector, ThreadId worker);

// Main's joins in the state in the vector. Leaves the vector and the chooser as they are.
JoinAhead join_ahead(Mover *mover, const ControlCells *control, ThreadMask group, Account *account);

#endif
