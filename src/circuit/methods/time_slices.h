// Several methods for one question, one after the other. Each gets its share of the time that is left. Without a time limit
// they get slices of time that grow, again and again.
#ifndef HEDDLE_CIRCUIT_METHODS_TIME_SLICES_H
#define HEDDLE_CIRCUIT_METHODS_TIME_SLICES_H

#include "circuit/methods/method.h"

typedef struct TimeSlices {
  const double *shares; // per method: its share of the time that is left
  size_t count;
  double first_slice; // seconds for which each method is tried first; 0: there is no such round
  MethodAnswer (*run)(void *question, size_t method, Budget *budget);
} TimeSlices;

// Runs the methods until one of them answers or the budget is exhausted.
MethodAnswer time_slices_run(const TimeSlices *slices, void *question, Budget *whole);

#endif
