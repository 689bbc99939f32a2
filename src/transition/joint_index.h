// Joint edges by location: which questions about several threads are asked at a control vector.
//
// A race is asked for where both threads stand at the beginning of their events, unless a third one is inside an atomic
// section.
//
// A deadlock is asked for where each thread that was started has ended or stands where it may wait, and one of them may
// wait. The question is a row of edges: the first of these threads takes its JOINT_WAIT (or JOINT_IDLE) edge, which
// leads to its end, then the next one, and so on; the last one takes JOINT_LAST_WAIT, an error. The edges change
// nothing
// but the control vector. While some thread stands at its end, only the next edge of the row is taken. Threads that may
// only be idle come first, so that the last one is one that waits. (An engine that knows all threads' locations at once
// can ask for the conjunction of the edges' guards instead.)
#ifndef HEDDLE_TRANSITION_JOINT_INDEX_H
#define HEDDLE_TRANSITION_JOINT_INDEX_H

#include "program/program.h"

typedef struct JointIndex {
  const Program *program;
  uint32_t *newest; // per location: its last joint edge, as a number in Program.joints; NO_ID: none
  uint32_t *older;  // per joint edge: the one before it at the same location
  bool races, waits;
  Account *account;
} JointIndex;

void joint_index_init(JointIndex *index, const Program *program, Account *account);
void joint_index_free(JointIndex *index);
static inline EdgeId joint_edge_id(const Program *p, uint32_t joint) {
  assert(joint < p->joints.count);
  return (EdgeId)(p->edges.count - p->joints.count + joint);
}
// Appends the joint edges to be asked for at a control vector: a location for each thread, NO_ID if it is not started.
void joint_index_list(const JointIndex *index, const LocationId *control, U32Vector *edges);
// Does some thread stand at its end? Then only joint edges are taken.
bool joint_edges_only(const Program *program, const LocationId *control);

#endif
