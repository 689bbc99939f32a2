// From a path of edges to a schedule of the unreduced program.
//
// The edges belong to the program of the transitions. The start of a thread is part of its creation; the schedule
// contains it before the thread's first own edge. If an error always follows an edge, the schedule contains it after
// this edge. The caller gives the values of each edge's fresh variables, in their order (0 if nothing depends on one),
// and the initial values of cells that have none.
#ifndef HEDDLE_TRANSITION_PATH_SCHEDULE_H
#define HEDDLE_TRANSITION_PATH_SCHEDULE_H

#include "judge/schedule_builder.h"
#include "transition/transition.h"

typedef struct PathSchedule {
  const Transitions *transitions;
  const Program *whole; // unreduced
  ScheduleBuilder builder;
  EdgeId *edge_of; // per step of the unreduced program: its edge
  BitsVector fresh;
  ByteVector to_start; // per thread: it was created, and the schedule does not contain its start yet
  bool ended;          // the process
  Account *account;
} PathSchedule;

void path_schedule_init(PathSchedule *t, const Program *whole, const Transitions *transitions, Property property,
                        Account *account);
void path_schedule_initial(PathSchedule *t, CellId cell, Bits value); // before the first edge
void path_schedule_edge(PathSchedule *t, EdgeId edge, const Bits *fresh);
// The loop of a lasso begins here. Threads that were created start before it, unless the process has ended.
void path_schedule_loop(PathSchedule *t);
Schedule *path_schedule_end(PathSchedule *t); // the schedule is the caller's

#endif
