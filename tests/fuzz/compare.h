// The comparison: one seed's program through all configurations, and a failure made small and written down.
#ifndef HEDDLE_FUZZ_COMPARE_H
#define HEDDLE_FUZZ_COMPARE_H

#include "fuzz/configurations.h"

#include <stdint.h>

typedef struct Comparison {
  const Configurations *all;
  Checker checker;
  unsigned size;         // of the programs
  bool formulas;         // a random one for each program
  unsigned sample;       // configurations asked beside the judge, chosen by the seed; 0: all
  const char *output;    // directory for failing programs
  double shrink_seconds; // at most, for one failure
} Comparison;

typedef enum Failure {
  FAILURE_NONE,
  FAILURE_DISAGREEMENT,
  FAILURE_CRASH,
  FAILURE_REFUSED,
  FAILURE_BAD_PROGRAM
} Failure;
enum { MOST_MESSAGE = 400 };

// What came of one seed. Small enough to go through a pipe in one piece.
typedef struct Record {
  uint64_t seed;
  Failure failure;
  Outcome outcomes[MOST_CONFIGURATIONS];
  char message[MOST_MESSAGE]; // of a failure: which configuration answered what, and where the program is
} Record;

void compare_seed(const Comparison *comparison, uint64_t seed, Record *record);

#endif
