#include "program/settled.h"

#include "base/bitset.h"

#include <string.h>

SettledPlace settled_place(const Position *position) {
  return (SettledPlace){.file = position->file, .line = position->line};
}

// Places in a total order; a missing file comes first.
static int compare(const SettledPlace *a, const SettledPlace *b) {
  int files = strcmp(a->file ? a->file : "", b->file ? b->file : "");
  if (files != 0) return files;
  return a->line < b->line ? -1 : a->line > b->line;
}

bool settled_place_is_same(const SettledPlace *a, const SettledPlace *b) {
  return a->line == b->line && compare(a, b) == 0;
}

SettledPlace settled_step_place(const Step *step) {
  if (step->kind != STEP_CHECK || !step->check->site) return settled_place(&step->position);
  return (SettledPlace){.file = step->check->file, .line = step->check->line};
}

static bool is_at(const Step *step, const SettledPlace *place) {
  SettledPlace here = settled_step_place(step);
  return settled_place_is_same(&here, place);
}

// --- steps ---

static bool has_kind(const Step *step, StepKind kind) {
  if (kind == STEP_PLAIN) return step->access.address != TERM_NONE;
  return step->kind == kind;
}

// An error ends the process, as a failed assertion does; other steps end the execution without a violation.
static void settle_steps(Program *p, const SettledFinding *finding) {
  assert(finding->place_count == 1);
  for (size_t s = 0; s < p->steps.count; s++) {
    Step *step = &p->steps.data[s];
    if (!has_kind(step, finding->step) || !is_at(step, &finding->places[0])) continue;
    if (step->kind == STEP_ERROR) step->kind = STEP_HALT;
    step->excused = true; // an engine may still have the old kind
  }
}

void program_settle(Program *p, const SettledFinding *finding) {
  assert(finding->place_count <= MOST_SETTLED_PLACES);
  if (finding->kind == SETTLED_STEP) settle_steps(p, finding);
  SettledFinding copy = *finding;
  for (uint32_t i = 0; i < copy.place_count; i++)
    if (copy.places[i].file) copy.places[i].file = intern(&p->strings, copy.places[i].file);
  assert((copy.kind == SETTLED_RACE) == (copy.object != NULL));
  if (copy.object) copy.object = intern(&p->strings, copy.object);
  SettledVector_push(&p->settled, arena_copy(&p->arena, &copy, sizeof copy));
}

void view_settle(Program *view, const Program *program) {
  assert(view->settled.count <= program->settled.count);
  for (size_t i = view->settled.count; i < program->settled.count; i++) {
    const SettledFinding *finding = program->settled.data[i];
    if (finding->kind == SETTLED_STEP) settle_steps(view, finding);
    SettledVector_push(&view->settled, finding); // it belongs to the program
  }
}

// --- races ---

static const char block_of[] = "block of ";

void settled_object_name(const Program *p, ObjectId object, Text *out) {
  assert(object < p->objects.count);
  const Object *row = &p->objects.data[object];
  if (row->storage == STORAGE_HEAP && row->origin)
    text_format(out, "%s%s", block_of, row->origin);
  else
    text_add(out, row->name ? row->name : "?");
}

// The same as comparing the text, which would be made for each race that is looked at.
static bool has_name(const Program *p, ObjectId object, const char *name) {
  const Object *row = &p->objects.data[object];
  if (row->storage != STORAGE_HEAP || !row->origin) return strcmp(name, row->name ? row->name : "?") == 0;
  size_t length = strlen(block_of);
  return strncmp(name, block_of, length) == 0 && strcmp(name + length, row->origin) == 0;
}

static bool is_race_of(const SettledFinding *finding, const Step *a, const Step *b) {
  if (finding->kind != SETTLED_RACE) return false;
  const SettledPlace *places = finding->places;
  return (is_at(a, &places[0]) && is_at(b, &places[1])) || (is_at(a, &places[1]) && is_at(b, &places[0]));
}

bool race_is_settled(const Program *p, StepId first, StepId second, ObjectId object) {
  assert(first < p->steps.count && second < p->steps.count && object < p->objects.count);
  const Step *a = &p->steps.data[first], *b = &p->steps.data[second];
  for (size_t i = 0; i < p->settled.count; i++)
    if (is_race_of(p->settled.data[i], a, b) && has_name(p, object, p->settled.data[i]->object)) return true;
  return false;
}

// The objects that the step may touch; a deallocation touches any block.
static void add_objects(const Program *p, const Step *step, Bitset *objects) {
  for (ObjectId o = 0; step->kind == STEP_FREE && o < p->objects.count; o++)
    if (p->objects.data[o].storage == STORAGE_HEAP) bitset_set(objects, o);
  if (step->access.address == TERM_NONE) return;
  uint32_t count;
  const CellId *cells = access_cells(p, &step->access, &count);
  for (uint32_t i = 0; i < count; i++) bitset_set(objects, p->cells.data[cells[i]].object);
}

RaceSettlement race_settlement(const Program *p, StepId one, StepId other, size_t first) {
  assert(one < p->steps.count && other < p->steps.count && first <= p->settled.count);
  const Step *a = &p->steps.data[one], *b = &p->steps.data[other];
  bool some = false, all = true;
  for (size_t i = first; i < p->settled.count; i++) some |= is_race_of(p->settled.data[i], a, b);
  if (!some) return RACE_OPEN;
  some = false;
  Bitset touched, also;
  bitset_init(&touched, p->objects.count, p->account);
  bitset_init(&also, p->objects.count, p->account);
  add_objects(p, a, &touched);
  add_objects(p, b, &also);
  bitset_intersect(&touched, &also);
  for (size_t o = bitset_next(&touched, 0); o < p->objects.count; o = bitset_next(&touched, o + 1)) {
    bool settled = false;
    for (size_t i = first; i < p->settled.count && !settled; i++)
      settled = is_race_of(p->settled.data[i], a, b) && has_name(p, (ObjectId)o, p->settled.data[i]->object);
    some |= settled;
    all &= settled;
  }
  bitset_free(&also);
  bitset_free(&touched);
  return all ? RACE_WHOLLY : some ? RACE_PARTLY : RACE_OPEN;
}

// --- goals of views ---

bool goal_is_settled(const Program *view, const Program *whole, EdgeId edge) {
  const JointEdge *joint = program_joint(view, edge);
  if (joint)
    return joint->kind == JOINT_RACE && race_settlement(whole, joint->raced[0], joint->raced[1], 0) == RACE_WHOLLY;
  const Edge *e = &view->edges.data[edge];
  const Step *last = &view->steps.data[e->first_step + e->step_count - 1];
  return last->origin != NO_ID && whole->steps.data[last->origin].excused;
}

bool settled_is_passed(const SettledFinding *finding) {
  return finding->kind == SETTLED_STEP && finding->step == STEP_CHECK;
}

// --- deadlocks ---

// The step with which a thread at the location would go on, or NULL.
static const Step *next_step(const Program *p, LocationId location) {
  if (location == NO_ID || p->locations.data[location].out_count == 0) return NULL;
  uint32_t count;
  return edge_first_step(p, location_edges(p, location, &count)[0]);
}

enum { MOST_SECTION_STEPS = 32 };

// Does a thread at the location wait for the end of another thread? Then the first thing that it looks at, in the
// section that joins, is the control block of that thread.
static bool joins(const Program *p, LocationId location) {
  for (unsigned i = 0; i < MOST_SECTION_STEPS; i++) {
    const Step *step = next_step(p, location);
    if (!step) return false;
    uint32_t count;
    const CellId *cells = access_cells(p, &step->access, &count);
    if (step->access.address != TERM_NONE)
      return count > 0 && p->objects.data[p->cells.data[cells[0]].object].storage == STORAGE_CONTROL;
    location = location_edge(p, location, 0)->to;
    if (!p->locations.data[location].atomic) return false;
  }
  return false;
}

static void add_place(SettledFinding *finding, SettledPlace place) {
  uint32_t at = 0;
  while (at < finding->place_count && compare(&finding->places[at], &place) < 0) at++;
  if (at < finding->place_count && compare(&finding->places[at], &place) == 0) return;
  if (finding->place_count == MOST_SETTLED_PLACES) return;
  memmove(finding->places + at + 1, finding->places + at, (finding->place_count - at) * sizeof place);
  finding->places[at] = place;
  finding->place_count++;
}

SettledPlace deadlock_place(const Program *p, LocationId location, bool *join) {
  const Step *step = next_step(p, location);
  *join = step && joins(p, location);
  return step ? settled_place(&step->position) : (SettledPlace){0};
}

void deadlock_finding(const Program *p, const LocationId *waiting, SettledFinding *finding) {
  *finding = (SettledFinding){.kind = SETTLED_DEADLOCK};
  bool only_joins = true;
  for (ThreadId t = 0; t < p->threads.count; t++) {
    const Step *step = next_step(p, waiting[t]);
    only_joins &= !step || joins(p, waiting[t]);
  }
  for (ThreadId t = 0; t < p->threads.count; t++) {
    const Step *step = next_step(p, waiting[t]);
    if (step && (only_joins || !joins(p, waiting[t]))) add_place(finding, settled_place(&step->position));
  }
}

static bool same_places(const SettledFinding *a, const SettledFinding *b) {
  if (a->place_count != b->place_count) return false;
  for (uint32_t i = 0; i < a->place_count; i++)
    if (!settled_place_is_same(&a->places[i], &b->places[i])) return false;
  return true;
}

bool deadlock_is_settled(const Program *p, const LocationId *waiting) {
  bool some = false;
  for (size_t i = 0; i < p->settled.count; i++) some |= p->settled.data[i]->kind == SETTLED_DEADLOCK;
  if (!some) return false;
  SettledFinding here;
  deadlock_finding(p, waiting, &here);
  for (size_t i = 0; i < p->settled.count; i++)
    if (p->settled.data[i]->kind == SETTLED_DEADLOCK && same_places(p->settled.data[i], &here)) return true;
  return false;
}
