// Constraints of a witness that were not checked on the execution that the guided search found.
//
// During the search a constraint that is "unknown" where the execution passes it counts as true. Afterwards there are
// two cases. If the model cannot read the constraint in any state (it has a name that is not in the program, a division
// by zero, a dereference, or an unknown format), the execution did not follow the witness, and the witness is not
// confirmed. If only the value is missing in the model (a local that is no longer live), a line says that the
// constraint was not checked.
#ifndef HEDDLE_WITNESS_GUIDED_DOUBTS_H
#define HEDDLE_WITNESS_GUIDED_DOUBTS_H

#include "witness/guided_plan.h"

typedef struct Doubt {
  uint32_t waypoint; // in Witness.waypoints
  bool no_value;     // the constraint has no value, whatever the values of its names are
} Doubt;
VECTOR(DoubtVector, Doubt);

// Appends to `unread` one line with all constraints that cannot be read (nothing if there are none), and to `unchecked`
// one line for each other constraint in `doubts`.
void doubts_report(const GuidedPlan *plan, const DoubtVector *doubts, Text *unread, Text *unchecked);

#endif
