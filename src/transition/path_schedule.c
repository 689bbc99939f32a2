#include "transition/path_schedule.h"

void path_schedule_init(PathSchedule *t, const Program *whole, const Transitions *transitions, Property property,
                        Account *account) {
  *t = (PathSchedule){.transitions = transitions, .whole = whole, .account = account};
  t->edge_of = memory_allocate(account, whole->steps.count * sizeof(EdgeId));
  for (EdgeId e = 0; e < whole->edges.count; e++) t->edge_of[whole->edges.data[e].first_step] = e;
  schedule_builder_init(&t->builder, whole, property, account);
  BitsVector_init(&t->fresh, account);
  ByteVector_init(&t->to_start, account);
  ByteVector_resize(&t->to_start, whole->threads.count);
}

void path_schedule_initial(PathSchedule *t, CellId cell, Bits value) {
  schedule_builder_initial(&t->builder, cell, value);
}

// Adds one step of an edge. Takes the values of its fresh variables from the front of `fresh`.
static void add_step(PathSchedule *t, ThreadId thread, const Step *reduced, const Bits **fresh) {
  assert(reduced->origin < t->whole->steps.count);
  BuiltStep step = {.thread = thread, .edge = t->edge_of[reduced->origin], .reduced = reduced};
  bool stores = reduced->access.address != TERM_NONE && reduced->access.writes;
  if (stores && reduced->access.stored == VALUE_INDETERMINATE) step.forgotten = *(*fresh)++;
  BitsVector_clear(&t->fresh);
  for (uint32_t k = 0; k < reduced->assignment_count; k++)
    if (value_is_fresh(reduced->assignments[k].value)) BitsVector_push(&t->fresh, *(*fresh)++);
  step.fresh = t->fresh.data;
  schedule_builder_add(&t->builder, &step);
}

// Adds an edge of one step without fresh variables.
static void add_single(PathSchedule *t, ThreadId thread, EdgeId edge) {
  const Program *p = t->transitions->program;
  const Bits *none = NULL;
  add_step(t, thread, edge_first_step(p, edge), &none);
}

// Adds the start of a thread, if it is missing. A thread starts just before its first edge, and not at its creation,
// because its creator may be inside an atomic section.
static void start_now(PathSchedule *t, ThreadId thread) {
  if (!t->to_start.data[thread]) return;
  t->to_start.data[thread] = 0;
  EdgeId start = NO_ID;
  thread_beginning(t->transitions->program, thread, &start);
  if (start != NO_ID) add_single(t, thread, start);
}

// Adds the steps of a race in their order, each of its own thread. An edge that says that a thread waits adds nothing
// but the starts of threads, because blocks begin with their waiting step in such views.
static void add_joint(PathSchedule *t, EdgeId id, const Bits *fresh) {
  const Program *p = t->transitions->program;
  const JointEdge *joint = program_joint(p, id);
  for (ThreadId thread = 0; thread < t->whole->threads.count && joint->kind != JOINT_RACE; thread++)
    start_now(t, thread);
  if (joint->kind != JOINT_RACE) return;
  ThreadId own = p->locations.data[p->edges.data[id].from].thread, other = p->locations.data[joint->partner].thread;
  start_now(t, own);
  start_now(t, other);
  uint32_t count;
  const Step *steps = edge_steps(p, id, &count);
  for (uint32_t k = 0; k < count; k++) {
    if (steps[k].origin == NO_ID) continue;
    bool is_own = k >= joint->own_first && k < joint->own_first + joint->own_count;
    add_step(t, is_own ? own : other, &steps[k], &fresh);
  }
  t->ended = true;
}

void path_schedule_edge(PathSchedule *t, EdgeId id, const Bits *fresh) {
  const Program *p = t->transitions->program;
  assert(id < t->transitions->edges.count && !t->ended);
  const Transition *transition = &t->transitions->edges.data[id];
  ThreadId thread = p->locations.data[p->edges.data[id].from].thread;
  if (program_joint(p, id)) {
    add_joint(t, id, fresh);
    return;
  }
  start_now(t, thread);
  uint32_t count;
  const Step *steps = edge_steps(p, id, &count);
  for (uint32_t k = 0; k < count; k++) add_step(t, thread, &steps[k], &fresh);
  for (uint32_t i = 0; i < transition->birth_count; i++)
    t->to_start.data[t->transitions->births.data[transition->first_birth + i]] = 1;
  if (transition->then != NO_ID) add_single(t, thread, transition->then);
  t->ended |= transition->end == ENDS_THE_PROCESS || transition->end == ENDS_IN_ERROR;
}

// If the process has ended, a thread that has not started never does.
void path_schedule_loop(PathSchedule *t) {
  for (ThreadId thread = 0; thread < t->whole->threads.count && !t->ended; thread++) start_now(t, thread);
  t->builder.schedule->loop_start = (uint32_t)t->builder.schedule->steps.count;
}

Schedule *path_schedule_end(PathSchedule *t) {
  Schedule *schedule = t->builder.schedule;
  ByteVector_free(&t->to_start);
  BitsVector_free(&t->fresh);
  schedule_builder_free(&t->builder);
  memory_free(t->account, t->edge_of, t->whole->steps.count * sizeof(EdgeId));
  return schedule;
}
