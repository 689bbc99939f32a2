// Cuts at objects of which only the beginning is known (Beyond): before each access that may touch what is not known.
//
//   from --[beyond: CUT]
//   from --[not beyond]--> here --[the access]--> to
#include "program/layout/layout.h"

// A place that a step touches: `bytes` from `address` on, which is one of `targets`.
typedef struct Touch {
  const PointsToSet *targets;
  Term address;
  uint64_t bytes;
} Touch;

// May the item lie so that some of the bytes touched are behind the first `known` of the object?
static bool may_leave(const Object *object, const PointsToItem *item, uint64_t known, uint64_t bytes) {
  if (item->stride > 0) return true;
  int64_t end = (int64_t)(object->size + object->beyond->more);
  return item->offset > (int64_t)known - (int64_t)bytes && item->offset < end;
}

// The condition that some of them are.
static Term leaves(const Program *p, const Object *object, const Touch *touch, uint64_t known) {
  uint64_t first = touch->bytes > known ? 0 : known - touch->bytes + 1;
  uint64_t end = object->size + object->beyond->more;
  Term place = term_add_constant(p->terms, touch->address, -(Bits)(object->address + first));
  return term_binary(p->terms, TERM_ULT, place, term_constant(p->terms, p->pointer_width, end - first));
}

static void add_cut(Program *p, EdgeId id, const Beyond *beyond, Term guard) {
  Edge edge = p->edges.data[id];
  Position position = edge_step(p, &edge, 0)->position;
  Step cut = step_plain(p, position);
  cut.kind = STEP_CUT;
  cut.guard = guard;
  cut.target = program_add_cut(p, beyond->kind, beyond->what, position);
  LocationId end = program_add_location(p, p->locations.data[edge.from].thread, position);
  p->locations.data[end].atomic = p->locations.data[edge.from].atomic;
  program_add_edge(p, edge.from, end, &cut);
}

// What is known of the step's guard before the access; nothing if the guard mentions the loaded value.
static Term guard_before(const Program *p, const Step *step) {
  bool loaded = step->access.into != NO_ID && term_mentions(p->terms, step->guard, variable_term(p, step->access.into));
  return loaded ? term_true(p->terms) : step->guard;
}

// Adds the cuts of one place; returns the condition that it is beyond.
static Term cut_touch(Layout *layout, EdgeId edge, const Touch *touch, Term guard) {
  Program *p = layout->program;
  Term outside = term_false(p->terms);
  for (uint32_t i = 0; i < touch->targets->count; i++) {
    const PointsToItem *item = &touch->targets->items[i];
    const Object object = p->objects.data[item->object];
    if (!object.beyond || !may_leave(&object, item, object.beyond->exact, touch->bytes)) continue;
    Term doubtful = leaves(p, &object, touch, object.beyond->exact);
    add_cut(p, edge, object.beyond, term_and(p->terms, guard, doubtful));
    outside = term_or(p->terms, outside, leaves(p, &object, touch, object.size));
  }
  return outside;
}

static void cut_edge(Layout *layout, EdgeId id) {
  Program *p = layout->program;
  StepId step_id = p->edges.data[id].first_step;
  Step step = p->steps.data[step_id];
  Term guard = guard_before(p, &step), outside = term_false(p->terms);
  const PointsTo *points = &layout->points;
  if (step.access.address != TERM_NONE) {
    Touch access = {&points->targets[step_id], step.access.address, step.access.bytes};
    outside = cut_touch(layout, id, &access, guard);
  } else if (step.block && step.block->length > 0) { // a HAVOC without a length ends where the known part does
    Touch to = {&points->targets[step_id], step.block->destination, step.block->length};
    outside = cut_touch(layout, id, &to, guard);
    Touch from = {&points->sources[step_id], step.block->source, step.block->length};
    if (step.kind == STEP_COPY) outside = term_or(p->terms, outside, cut_touch(layout, id, &from, guard));
  }
  if (term_is_false(p->terms, outside)) return;
  Edge edge = p->edges.data[id];
  LocationId here = program_add_location(p, p->locations.data[edge.from].thread, step.position);
  p->locations.data[here].atomic = p->locations.data[edge.from].atomic && p->locations.data[edge.to].atomic;
  Step known = step_plain(p, step.position);
  known.guard = term_and(p->terms, guard, term_not(p->terms, outside));
  program_add_edge(p, edge.from, here, &known);
  p->edges.data[id].from = here; // the step keeps its number, by which points-to knows it
}

void layout_cut_beyond(Layout *layout) {
  const Program *p = layout->program;
  bool any = false;
  for (size_t o = 0; o < p->objects.count; o++) any |= p->objects.data[o].beyond != NULL;
  size_t edges = p->edges.count; // new ones touch nothing
  for (size_t e = 0; any && e < edges; e++) cut_edge(layout, (EdgeId)e);
}
