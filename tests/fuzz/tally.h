// Counts what came of the seeds, and says so.
#ifndef HEDDLE_FUZZ_TALLY_H
#define HEDDLE_FUZZ_TALLY_H

#include "fuzz/compare.h"

#include "base/vector.h"

typedef struct ReasonCount {
  unsigned configuration;
  unsigned count;
  char reason[MOST_REASON];
} ReasonCount;
VECTOR(ReasonVector, ReasonCount);

typedef struct Tally {
  const Configurations *all;
  unsigned programs, wanted;
  unsigned answers[MOST_CONFIGURATIONS][ANSWER_COUNT];
  unsigned safe, unsafe, undecided; // by the judge, or the first that decided if it was not asked
  unsigned unconfirmed;             // counterexamples of all configurations that did not replay
  unsigned disagreements, crashes;  // programs; crashes: also refused ones, and such that do not compile
  ReasonVector reasons;             // of UNKNOWN
  double started, said;             // said: when the last line of progress was printed
} Tally;

void tally_init(Tally *tally, const Configurations *all, unsigned wanted);
void tally_free(Tally *tally);
void tally_add(Tally *tally, const Record *record); // prints a line for a failure
void tally_progress(Tally *tally);                  // now and then, on standard error
void tally_summary(const Tally *tally);
bool tally_failed(const Tally *tally);

#endif
