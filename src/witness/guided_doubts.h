// Constraints of a witness that the execution found was not held against.
//
// A constraint that is "unknown" where the execution passes it is read in the witness's favour during the search.
// Afterwards it counts: what the model could not read at all (a name that the program does not have, a division by
// zero, a dereference, a format that is not known) was not followed, and the witness is not confirmed; what only has no
// value any more in the model (a dead local) is told as not checked.
#ifndef HEDDLE_WITNESS_GUIDED_DOUBTS_H
#define HEDDLE_WITNESS_GUIDED_DOUBTS_H

#include "witness/guided_plan.h"

typedef struct Doubt {
  uint32_t waypoint; // in Witness.waypoints
  bool beyond;       // no value of its names would settle it
} Doubt;
VECTOR(DoubtVector, Doubt);

// The constraints that were not read, in one line (empty: none), and a line for each of the others in `unchecked`.
void doubts_tell(const Plan *plan, const DoubtVector *doubts, Text *unread, Text *unchecked);

#endif
