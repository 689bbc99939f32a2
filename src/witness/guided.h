// Guided search: an execution that follows a violation witness.
//
// A depth-first search over pairs of a concrete state and a position in the witness, one step at a time. If all next
// steps of an enabled thread can be seen by no other thread and pass no waypoint, only that thread is explored. A
// backward edge is never such a step, so no cycle consists of them alone. A pair is given up if a thread can no longer
// reach its next waypoint. Threads are tried in this order: the last one, if it is in the middle of a statement; the
// one that the next waypoint names; the others. A waypoint is passed as soon as it can be. If the witness has waypoints
// to avoid, or waypoints that number threads, the search also tries not to pass it.
//
// Many witnesses, Heddle's among them, name every statement that touches shared memory. So a first, "dense" search
// assumes that a statement that the witness does not name touches nothing shared. If it finds nothing, a second search
// looks at all executions.
//
// Ownership: the result owns its texts and its schedule; free it with guided_result_free. A schedule that is found was
// confirmed by the judge. Limits: states are compared by 128 bits of hash, so a state may be mistaken for a visited one
// (the answer is then GUIDED_NONE at worst); not all values of inputs of more than 8 bits are tried (GUIDED_BOUNDED).
#ifndef HEDDLE_WITNESS_GUIDED_H
#define HEDDLE_WITNESS_GUIDED_H

#include "base/budget.h"
#include "verdict/schedule.h"
#include "verdict/trace.h"
#include "witness/guided_plan.h"

typedef enum GuidedEnd {
  GUIDED_FOUND,   // `schedule` violates the property, following the witness in all that is not `unread`
  GUIDED_NONE,    // no execution that follows the witness ends in a violation
  GUIDED_MISFIT,  // the witness does not fit the program: `reason`
  GUIDED_BOUNDED, // no execution was found, but not all were looked at: `reason`
  GUIDED_STOPPED  // the budget ended the search: `reason`
} GuidedEnd;

typedef struct GuidedResult {
  GuidedEnd end;
  Schedule *schedule; // owned; NULL unless found
  Trace trace;        // if found: of the schedule, as the judge ran it
  Text violation;     // and what it says: the violation
  Text reason, notes;
  Text unread, unchecked; // if found: constraints that were not checked on the execution (guided_doubts.h)
  unsigned cuts;          // bits 1 << CutKind: limits of the model that were met
  uint32_t furthest;      // the largest number of segments that an execution passed
  uint64_t states, steps;
} GuidedResult;

void guided_search(const Program *program, const EventMap *events, const Witness *witness, Property property,
                   Budget *budget, GuidedResult *result, Account *account);
void guided_result_free(GuidedResult *result);

#endif
