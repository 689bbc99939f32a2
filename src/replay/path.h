// A path of the search: moves of threads with their choices, from the initial state on, and how to repeat it.
#ifndef HEDDLE_REPLAY_PATH_H
#define HEDDLE_REPLAY_PATH_H

#include "replay/transition.h"
#include "verdict/schedule.h"

typedef struct Move {
  ThreadId thread;
  uint32_t first_digit, digit_count; // in Path.digits
} Move;
VECTOR(MoveVector, Move);

// A single step at the end of a path: an access that races.
typedef struct TailStep {
  ThreadId thread;
  EdgeId edge;
} TailStep;

typedef struct Path {
  MoveVector moves;
  DigitVector digits;
  TailStep tail[2];
  size_t tail_count;
} Path;

void path_init(Path *path, Account *account);
void path_free(Path *path);
void path_clear(Path *path);
void path_add(Path *path, ThreadId thread, const Digit *digits, size_t count);

// The path as a schedule of the unreduced program: one step per edge, with its choices. `chooser` is the one that the
// mover uses; its digits are overwritten. The mover's vector ends in the last state.
Schedule *path_schedule(const Path *path, Mover *mover, Property property, Account *account);

#endif
