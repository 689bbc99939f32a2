// Random search: runs the program again and again under random schedules with random choices.
//
// Three kinds of schedule take turns: any enabled thread at each move; random priorities with a few random points at
// which the running thread's priority drops below all others (probabilistic concurrency testing, Burckhardt et al.,
// ASPLOS 2010); and running on with the same thread except for a few random preemptions. Runs have a bounded number of
// moves, which grows. Finds violations; never shows that there are none.
#ifndef HEDDLE_EXPLICIT_RANDOM_SEARCH_H
#define HEDDLE_EXPLICIT_RANDOM_SEARCH_H

#include "base/budget.h"
#include "base/log.h"
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
  uint8_t *saved; // state before the present move
  uint64_t runs, moves;
  uint64_t priorities[MOST_MASKED_THREADS];
  // Asked at the end of a run in which nothing was found: does its path violate the property all the same? May be NULL.
  bool (*ask)(void *context);
  void *context;
  Account *account;
} RandomSearch;

void random_search_init(RandomSearch *search, Mover *mover, uint64_t seed, Budget *budget, Log *log, Path *path,
                        Account *account);
void random_search_free(RandomSearch *search);
// Runs until a violation is found (true: `path` leads to it), `most_runs` runs were made (0: any number), `seconds`
// have passed (0: any time), or the budget is exhausted.
bool random_search_run(RandomSearch *search, uint64_t most_runs, double seconds);

#endif
