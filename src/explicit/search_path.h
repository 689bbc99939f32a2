// A path of the search: moves of threads with their choices, from the initial state on; and its schedule.
#ifndef HEDDLE_EXPLICIT_SEARCH_PATH_H
#define HEDDLE_EXPLICIT_SEARCH_PATH_H

#include "explicit/race.h"
#include "verdict/schedule.h"

typedef struct SearchMove {
  ThreadId thread;
  uint32_t first_digit, digit_count; // in Path.digits
} SearchMove;
VECTOR(MoveVector, SearchMove);

typedef struct Path {
  MoveVector moves;
  DigitVector digits;
  ThreadId tail_thread; // a single step at the end that races, if `tail_edge` is not NO_ID
  EdgeId tail_edge;
  uint32_t onward; // so many moves of main, at most, are added at the end while it can move
} Path;

void path_init(Path *path, Account *account);
void path_free(Path *path);
void path_clear(Path *path);
void path_add(Path *path, ThreadId thread, const Digit *digits, size_t count);
void path_add_race(Path *path, const FoundRace *race, const RaceCheck *check); // the event that races with the last

// The path as a schedule of the unreduced program: one step per edge, with its choices. The mover's program has the
// same edges. It may lack values that have no influence; choices that it did not make are 0. Overwrites the digits of
// the mover's chooser. Afterwards the mover's vector holds the last state.
Schedule *path_schedule(const Path *path, Mover *mover, const Program *unreduced, Property property, Account *account);

#endif
