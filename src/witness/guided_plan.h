// A witness laid over a program: for each waypoint the edges that can pass it, and from where those can be reached.
//
// What the model cannot tell is read in the witness's favour: a waypoint in a statement of which no edge is left, or of
// a kind that cannot be located exactly, may be passed anywhere in its statement, or is skipped (with a note). So that
// an execution is never refused for what the model does not know.
#ifndef HEDDLE_WITNESS_GUIDED_PLAN_H
#define HEDDLE_WITNESS_GUIDED_PLAN_H

#include "base/bitset.h"
#include "verdict/property.h"
#include "witness/event_map.h"
#include "witness/witness.h"

typedef struct WaypointPlan {
  uint32_t place; // in Plan.places; NO_ID: the waypoint is skipped
  bool exact;     // its edges are known exactly: a constraint on the result counts
  bool registers; // it gives the next number to the thread that its edge creates
} WaypointPlan;
VECTOR(WaypointPlanVector, WaypointPlan);

// What several waypoints share.
typedef struct WaypointPlace {
  WaypointType type;
  uint32_t file;
  SourcePoint at;
  uint32_t way; // BranchWay
  Bitset edges; // that pass it
  Bitset from;  // locations from which one of them can be reached
} WaypointPlace;
VECTOR(WaypointPlaceVector, WaypointPlace);

typedef struct Plan {
  const Program *program;
  const EventMap *events;
  const Witness *witness;
  Property property;
  WaypointPlanVector waypoints;
  WaypointPlaceVector places;
  bool registering;     // threads are numbered by waypoints, not in the order of their creation
  bool limited;         // the misfit may be one of the model's limits
  bool avoiding;        // some waypoint is to be avoided
  uint32_t thread_ids;  // largest number of a thread, plus 1
  U32Vector next_place; // per segment and thread number: the place of its next waypoint from there on, or NO_ID
  Account *account;
} Plan;

// False with a line in `misfit` if the witness does not fit the program at all.
bool plan_init(Plan *plan, const Program *program, const EventMap *events, const Witness *witness, Property property,
               Text *misfit, Text *notes, Account *account);
void plan_free(Plan *plan); // also after plan_init failed

static inline bool plan_passes(const Plan *plan, uint32_t waypoint, EdgeId edge) {
  uint32_t place = plan->waypoints.data[waypoint].place;
  return place != NO_ID && bitset_get(&plan->places.data[place].edges, edge);
}

#endif
