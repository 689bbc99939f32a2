// From a path of edges to a schedule: what each edge did, told step by step against the unreduced program.
//
// Edges are those of the program of the transitions; the start of a thread that was created is part of its creation, and
// told before the thread's own first edge; an error that certainly follows is told with its transition. Whoever found the path says the values of each edge's fresh
// variables, in their order (0 where nothing depends on them), and what cells without an initial value hold at the start.
#ifndef HEDDLE_TRANSITION_PATH_SCHEDULE_H
#define HEDDLE_TRANSITION_PATH_SCHEDULE_H

#include "judge/schedule_builder.h"
#include "transition/transition.h"

typedef struct PathSchedule {
  const Transitions *transitions;
  const Program *whole; // unreduced
  ScheduleBuilder builder;
  EdgeId *edge_of; // per step of the unreduced program
  BitsVector fresh;
  ByteVector to_start; // per thread: it was created, and has done nothing yet
  bool ended;          // the process
  Account *account;
} PathSchedule;

void path_schedule_init(PathSchedule *t, const Program *whole, const Transitions *transitions, Property property,
                        Account *account);
void path_schedule_initial(PathSchedule *t, CellId cell, Bits value); // before the first edge
void path_schedule_edge(PathSchedule *t, EdgeId edge, const Bits *fresh);
// Here begins the loop of a lasso. Threads that were created start before it, unless the process has ended.
void path_schedule_loop(PathSchedule *t);
Schedule *path_schedule_end(PathSchedule *t); // the schedule is the caller's

#endif
