// States at which random runs came to new code, from which later runs begin.
//
// A run from the initial state that has to pass many checks (does the file open, is the argument valid?) fails at one
// of them nearly always. A run that begins where an earlier one was passes the first of them for nothing.
//
// A state is kept when a thread comes to a location for the first time in the search. Of the kept states, those from
// which few runs have begun are preferred. If there are too many, the oldest is replaced.
//
// Ownership: the archive owns its copies of states and paths.
#ifndef HEDDLE_EXPLICIT_COVERAGE_ARCHIVE_H
#define HEDDLE_EXPLICIT_COVERAGE_ARCHIVE_H

#include "explicit/search_path.h"

typedef struct KeptState {
  uint8_t *vector;
  MoveVector moves; // the path to it
  DigitVector digits;
  uint64_t tries; // runs that began here
} KeptState;
VECTOR(KeptStateVector, KeptState);

typedef struct CoverageArchive {
  Bitset seen; // locations
  KeptStateVector states;
  size_t most, oldest; // how many states are kept; which is replaced next
  size_t vector_bytes;
  Account *account;
} CoverageArchive;

void coverage_archive_init(CoverageArchive *archive, const StateLayout *layout, Account *account);
void coverage_archive_free(CoverageArchive *archive);
// A thread has come to the location; the vector is the state, the path leads to it.
void coverage_archive_note(CoverageArchive *archive, LocationId location, const uint8_t *vector, const Path *path);
// Gives the vector and the path of a kept state, chosen with random numbers. False: the run begins at the beginning.
bool coverage_archive_resume(CoverageArchive *archive, uint64_t *seed, uint8_t *vector, Path *path);

#endif
