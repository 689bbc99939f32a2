// The waypoints of a witness on the edges of a program: for each waypoint the edges that can pass it, and the locations
// from which those edges can be reached.
//
// An execution must not be refused because the model lacks information. So a waypoint that cannot be located exactly
// may be passed by every edge of its statement, and a waypoint without an edge is skipped, with a note.
//
// Invariants: `waypoints` has one row per waypoint of the witness; waypoints with the same type, position and branch
// share a place; `next_place` has (segments + 1) * thread_ids entries. The plan points to the program, the event map
// and the witness, which must outlive it; it owns its places.
#ifndef HEDDLE_WITNESS_GUIDED_PLAN_H
#define HEDDLE_WITNESS_GUIDED_PLAN_H

#include "base/bitset.h"
#include "verdict/property.h"
#include "witness/event_map.h"
#include "witness/witness.h"

#include <assert.h>

typedef struct WaypointPlan {
  uint32_t place; // in GuidedPlan.places; NO_ID: the waypoint is skipped
  bool exact;     // passing one of its edges is passing the waypoint; else it only may be
  bool registers; // it gives the next number to the thread that its edge creates
} WaypointPlan;
VECTOR(WaypointPlanVector, WaypointPlan);

// A place in the source that several waypoints may share.
typedef struct WaypointPlace {
  WaypointType type;
  uint32_t file;
  SourcePoint at;
  uint32_t way; // BranchWay
  Bitset edges; // edges that can pass a waypoint here
  Bitset from;  // locations from which one of these edges, or a cut, can be reached
} WaypointPlace;
VECTOR(WaypointPlaceVector, WaypointPlace);

typedef struct GuidedPlan {
  const Program *program;
  const EventMap *events;
  const Witness *witness;
  Property property;
  WaypointPlanVector waypoints;
  WaypointPlaceVector places;
  bool registering;     // threads are numbered by waypoints, not in the order of their creation
  bool limited;         // plan_init failed, perhaps only because of a limit of the model
  bool avoiding;        // some waypoint is to be avoided
  uint32_t thread_ids;  // largest number of a thread, plus 1
  U32Vector next_place; // per segment and thread number: the place of its next waypoint from there on, or NO_ID
  Account *account;
} GuidedPlan;

// False with a line in `misfit` if the witness does not fit the program.
bool plan_init(GuidedPlan *plan, const Program *program, const EventMap *events, const Witness *witness,
               Property property, Text *misfit, Text *notes, Account *account);
void plan_free(GuidedPlan *plan); // also after plan_init failed

static inline bool plan_passes(const GuidedPlan *plan, uint32_t waypoint, EdgeId edge) {
  assert(waypoint < plan->waypoints.count);
  uint32_t place = plan->waypoints.data[waypoint].place;
  return place != NO_ID && bitset_get(&plan->places.data[place].edges, edge);
}

#endif
