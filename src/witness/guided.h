// Guided search: an execution that follows a violation witness.
//
// Depth first over pairs of a concrete state and a position in the witness, one step at a time. Steps that no other
// thread can see and that pass no waypoint are taken at once; every cycle has a back edge, which is never among them. A
// pair is given up if a thread can no longer reach its next waypoint. The thread that the next waypoint names goes
// first, after a thread that is in the middle of a statement. A waypoint is passed as soon as it can be; with waypoints
// to avoid, or that number threads, passing by is tried as well.
//
// Many witnesses, ours among them, name every statement that touches what threads share. So the first search takes a
// witness at its word: a statement that it does not name touches nothing shared. Only if that finds nothing, all
// executions are looked at.
//
// States are told apart by 128 bits of hash.
#ifndef HEDDLE_WITNESS_GUIDED_H
#define HEDDLE_WITNESS_GUIDED_H

#include "base/budget.h"
#include "verdict/schedule.h"
#include "verdict/trace.h"
#include "witness/guided_plan.h"

typedef enum GuidedEnd {
  GUIDED_FOUND,   // `schedule` violates the property, following the witness in all that is not `unread`
  GUIDED_NONE,    // no execution follows the witness to a violation
  GUIDED_MISFIT,  // the witness does not fit the program: `reason`
  GUIDED_BOUNDED, // none was found, but not all were looked at: `reason`
  GUIDED_STOPPED  // by the budget
} GuidedEnd;

typedef struct GuidedResult {
  GuidedEnd end;
  Schedule *schedule; // owned; NULL unless found
  Trace trace;        // if found: of the schedule, as the judge ran it
  Text violation;     // and what it says: the violation
  Text reason, notes;
  Text unread, unchecked; // if found: constraints that it was not held against (guided_doubts.h)
  unsigned cuts;          // bits 1 << CutKind: limits of the model that were met
  uint32_t furthest;      // segments passed at most
  uint64_t states, steps;
} GuidedResult;

void guided_search(const Program *program, const EventMap *events, const Witness *witness, Property property,
                   Budget *budget, GuidedResult *result, Account *account);
void guided_result_free(GuidedResult *result);

#endif
