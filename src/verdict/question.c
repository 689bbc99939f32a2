#include "verdict/question.h"

#include "program/passes/faults.h"
#include "program/passes/joint_edges.h"

static unsigned faults_of(Property property) {
  switch (property) {
  case PROPERTY_VALID_MEMSAFETY: return FAULT_ACCESS | FAULT_FREE;
  case PROPERTY_NO_DIVISION_BY_ZERO: return FAULT_DIVISION;
  case PROPERTY_NO_OVERFLOW: return FAULT_OVERFLOW;
  case PROPERTY_VALID_MEMCLEANUP: return FAULT_CLEANUP;
  case PROPERTY_VALID_MEMTRACK: return FAULT_TRACK;
  default: return 0;
  }
}

// Is the property violated by a single step, so that its view has errors?
static bool property_is_of_steps(Property property) {
  return property == PROPERTY_UNREACH_CALL || faults_of(property) != 0;
}

// What the passes that reduce the view must preserve.
static unsigned question_preserves(Property property) {
  return property_is_of_steps(property) ? PRESERVES_REACHABILITY : property_preserves(property);
}

// An assertion that fails ends the process; this violates no other property.
static void end_at_errors(Program *view) {
  for (size_t s = 0; s < view->steps.count; s++)
    if (view->steps.data[s].kind == STEP_ERROR) view->steps.data[s].kind = STEP_HALT;
}

Program *question_marked_view(Program *program, Property property) {
  Program *view = program_view(program);
  if (property != PROPERTY_UNREACH_CALL && property != PROPERTY_LTL) end_at_errors(view);
  bool cut = property == PROPERTY_VALID_MEMTRACK && program->leaks_are_cuts;
  if (cut) faults_cut_tracking(view);
  faults_mark(view, cut ? 0 : faults_of(property));
  return view;
}

Program *question_view(Program *program, Property property, FaultForm form, BlockSize size) {
  Program *view = question_marked_view(program, property);
  if (form == FAULTS_SPLIT) faults_split(view);
  if (form == FAULTS_SPLIT && property == PROPERTY_NO_DATA_RACE) faults_end_sections(view);
  passes_reduce(view, question_preserves(property), size);
  return view;
}

Program *question_joint_view(Program *program, Property property, BlockSize size) {
  bool joint = property == PROPERTY_NO_DATA_RACE || property == PROPERTY_NO_DEADLOCK;
  if (joint && size == BLOCK_SINGLE) size = BLOCK_LARGE; // a section is one edge
  Program *view = question_view(program, property, FAULTS_SPLIT, size);
  if (property == PROPERTY_NO_DATA_RACE) joint_edges_add_races(view, program);
  if (property == PROPERTY_NO_DEADLOCK) joint_edges_add_waits(view, program);
  return view;
}

// Thread-local variables die with their thread, which is not modelled: it matters if another thread touches them.
static bool may_touch_foreign_thread_local(const Program *p, EdgeId edge) {
  ThreadId thread = p->locations.data[p->edges.data[edge].from].thread;
  uint32_t count;
  const CellId *cells = access_cells(p, &edge_first_step(p, edge)->access, &count);
  for (uint32_t i = 0; i < count; i++) {
    const Object *object = &p->objects.data[p->cells.data[cells[i]].object];
    if (object->storage == STORAGE_TLS && object->owner != thread) return true;
  }
  return false;
}

static bool has_block_without_cells(const Program *p) {
  for (size_t o = 0; o < p->objects.count; o++)
    if (p->objects.data[o].storage == STORAGE_HEAP && p->objects.data[o].cell_count == 0) return true;
  return false;
}

// Do steps of several threads free memory?
static bool several_threads_free(const Program *p) {
  ThreadId first = NO_ID;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    if (edge_first_step(p, e)->kind != STEP_FREE) continue;
    ThreadId thread = p->locations.data[p->edges.data[e].from].thread;
    if (first != NO_ID && first != thread) return true;
    first = thread;
  }
  return false;
}

bool question_ignores_equal(const Program *view, Property property) {
  const unsigned observes_more = 1u << PROPERTY_VALID_MEMTRACK | 1u << PROPERTY_VALID_MEMCLEANUP | 1u << PROPERTY_LTL;
  return view->settled.count == 0 && !(observes_more >> property & 1);
}

void question_add_limits(const Program *program, Result *result) {
  // Races are found on cells, and a block of no bytes has none: two threads that free it would go unseen.
  if (result->property == PROPERTY_NO_DATA_RACE && has_block_without_cells(program) && several_threads_free(program))
    result_add_cut(result, CUT_CONSTRUCT, "deallocations of a block of no bytes by several threads");
  if (result->property != PROPERTY_VALID_MEMSAFETY) return;
  for (EdgeId e = 0; e < program->edges.count; e++) {
    if (edge_first_step(program, e)->access.address == TERM_NONE) continue;
    if (!may_touch_foreign_thread_local(program, e)) continue;
    result_add_cut(result, CUT_CONSTRUCT, "use of another thread's thread-local variable");
    return;
  }
}
