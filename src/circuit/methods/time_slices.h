// Several ways to answer a question, in turn: each gets its share of the time that is left. Without a time limit they take
// slices that grow.
#ifndef HEDDLE_CIRCUIT_METHODS_TIME_SLICES_H
#define HEDDLE_CIRCUIT_METHODS_TIME_SLICES_H

#include "circuit/methods/method.h"

typedef struct TimeSlices {
  const double *shares; // per turn: of the time that is left
  size_t count;
  double moment; // seconds that everybody is tried for first; 0: that is not done
  MethodAnswer (*run)(void *question, size_t turn, Budget *budget);
} TimeSlices;

// Until one of them answers, or the time is up.
MethodAnswer time_slices_run(const TimeSlices *turns, void *question, Budget *whole);

// What was covered is a list of what each turn says, as far as it says something; the first turn begins it anew. Before a
// turn the list is kept in `before`, which this initialises; after the turn it is put in front of what the turn says.
void turns_begin_covered(size_t turn, Text *covered, Text *before);
void turns_end_covered(Text *covered, Text *before);

#endif
