// Random search: runs the program again and again under random schedules with random choices.
//
// Three kinds of schedules are used in turn:
//   - any enabled thread at each move;
//   - random priorities, with a few random points at which the priority of the running thread drops below all others
//     (probabilistic concurrency testing, Burckhardt et al., ASPLOS 2010);
//   - the same thread as before, except for a few random preemptions.
// In a guided search, runs begin where earlier ones came to new code (coverage_archive.h).
//
// The number of moves of a run is bounded, and the bound grows. The search finds violations; it never shows that there
// are none.
#ifndef HEDDLE_EXPLICIT_RANDOM_SEARCH_H
#define HEDDLE_EXPLICIT_RANDOM_SEARCH_H

#include "base/budget.h"
#include "base/log.h"
#include "explicit/coverage_archive.h"
#include "explicit/persistent_set.h"
#include "explicit/race.h"
#include "explicit/search_path.h"

typedef struct RandomSearch {
  Mover *mover;
  Budget *budget;
  Log *log;
  Path *path; // of the present run
  RaceCheck races;
  uint64_t seed;
  uint8_t *saved;   // state before the present move
  uint8_t *initial; // the vector at the beginning of each run
  uint64_t runs, moves;
  CoverageArchive *archive; // where runs may begin; NULL: at the beginning
  uint64_t priorities[MOST_MASKED_THREADS];
  // Called at the end of a run in which no violation was found: does its path violate the property? May be NULL.
  bool (*ask)(void *context);
  void *context;
  Account *account;
} RandomSearch;

void random_search_init(RandomSearch *search, Mover *mover, uint64_t seed, Budget *budget, Log *log, Path *path,
                        Account *account);
void random_search_free(RandomSearch *search);
void random_search_guide(RandomSearch *search, CoverageArchive *archive); // before it runs; the archive is the caller's
// Runs until a violation is found (true: `path` leads to it), `most_runs` runs were made (0: any number), `seconds`
// have passed (0: any time), or the budget is exhausted.
bool random_search_run(RandomSearch *search, uint64_t most_runs, double seconds);

#endif
