// Several ways to answer a question, in turn: each gets its share of the time that is left. Without a time limit they take
// slices that grow.
#ifndef HEDDLE_CIRCUIT_TURNS_H
#define HEDDLE_CIRCUIT_TURNS_H

#include "circuit/method.h"

typedef struct Turns {
  const double *shares; // per turn: of the time that is left
  size_t count;
  double moment; // seconds that everybody is tried for first; 0: that is not done
  MethodAnswer (*run)(void *question, size_t turn, Budget *budget);
} Turns;

// Until one of them answers, or the time is up.
MethodAnswer turns_take(const Turns *turns, void *question, Budget *whole);

#endif
