// Cuts at pointers from outside: pointers that an undefined function returned or stored, that an object holds which no
// file defines, or that were read from a file, a pipe or a socket. The model has no object for such a pointer; the real
// program may have one. So an invalid dereference or deallocation of such a pointer in the model says nothing about the
// program.
//
// The analysis follows the values that are made from such a pointer. It ignores the order of steps and does not
// distinguish the parts of an object. A step becomes a cut if its address is such a value and has no object of the
// model as a target. An array whose index comes from outside is still a target.
#include "program/layout/layout.h"

typedef struct Outside {
  Layout *layout;
  const char **variables; // per variable: where its value comes from (interned), or NULL
  const char **objects;   // per object: where something in it comes from, or NULL
  StepUses uses;
  bool changed;
} Outside;

static void mark(Outside *o, const char **place, const char *source) {
  if (!source || *place) return;
  *place = source;
  o->changed = true;
}

static void mark_targets(Outside *o, const PointsToSet *targets, const char *source) {
  for (uint32_t i = 0; source && i < targets->count; i++) mark(o, &o->objects[targets->items[i].object], source);
}

// --- sources ---

static const char *format_source(Program *p, const char *format, const char *name) {
  return intern_format(&p->strings, format, name);
}

static void mark_sources(Outside *o) {
  Program *p = o->layout->program;
  for (size_t v = 0; v < p->variables.count; v++)
    if (p->variables.data[v].handed)
      mark(o, &o->variables[v],
           format_source(p, "a pointer that the undefined function %s returned", p->variables.data[v].name));
  for (size_t i = 0; i < p->objects.count; i++) {
    const Object *object = &p->objects.data[i];
    bool elsewhere =
        object->indeterminate && (object->storage == STORAGE_GLOBAL || object->storage == STORAGE_CONSTANT);
    if (elsewhere) mark(o, &o->objects[i], format_source(p, "a pointer in %s, which no file defines", object->name));
  }
}

// What a block operation stores that the model does not know.
static const char *block_source(Program *p, const Step *step) {
  if (step->kind == STEP_HAVOC && step->block->doubtful)
    return intern(&p->strings, "a pointer that an undefined function may have stored");
  bool any = step->kind == STEP_FILL && step->block->source == TERM_NONE;
  return any ? intern(&p->strings, "a pointer that was read from outside") : NULL;
}

// --- how they spread ---

static const char *source_of_objects(const Outside *o, const PointsToSet *set) {
  for (uint32_t i = 0; i < set->count; i++)
    if (o->objects[set->items[i].object]) return o->objects[set->items[i].object];
  return NULL;
}

static const char *source_of_group(const Outside *o, StepId step, uint32_t group) {
  uint32_t count;
  const uint32_t *variables = step_uses(&o->uses, step, group, &count);
  for (uint32_t i = 0; i < count; i++)
    if (o->variables[variables[i]]) return o->variables[variables[i]];
  return NULL;
}

static void spread_block(Outside *o, StepId id) {
  const PointsTo *points = &o->layout->points;
  const Step *step = &o->layout->program->steps.data[id];
  mark_targets(o, &points->targets[id], block_source(o->layout->program, step));
  if (step->kind == STEP_COPY) mark_targets(o, &points->targets[id], source_of_objects(o, &points->sources[id]));
}

static void spread(Outside *o, StepId id) {
  const PointsTo *points = &o->layout->points;
  const Step *step = &o->layout->program->steps.data[id];
  if (step->block) spread_block(o, id);
  if (step->access.reads && step->access.into != NO_ID)
    mark(o, &o->variables[step->access.into], source_of_objects(o, &points->targets[id]));
  if (step->access.writes && !value_is_fresh(step->access.stored))
    mark_targets(o, &points->targets[id], source_of_group(o, id, USES_REST));
  for (uint32_t i = 0; i < step->assignment_count; i++)
    mark(o, &o->variables[step->assignments[i].variable], source_of_group(o, id, USES_FIRST_ASSIGNMENT + i));
}

// --- cuts ---

// Does some variable of the group hold a pointer to an object of the model?
static bool leads_somewhere(const Outside *o, StepId step, uint32_t group) {
  uint32_t count;
  const uint32_t *variables = step_uses(&o->uses, step, group, &count);
  for (uint32_t i = 0; i < count; i++)
    if (o->layout->points.variables[variables[i]].count) return true;
  return false;
}

// A COPY, too, that begins at such a pointer; its other side is in the same group.
static const char *source_of_address(const Outside *o, StepId id) {
  const PointsTo *points = &o->layout->points;
  const Step *step = &o->layout->program->steps.data[id];
  if (step->kind == STEP_FREE) return leads_somewhere(o, id, USES_REST) ? NULL : source_of_group(o, id, USES_REST);
  if (step->access.address == TERM_NONE && !step->block) return NULL;
  bool lost = points->targets[id].count == 0 || (step->kind == STEP_COPY && points->sources[id].count == 0);
  return lost ? source_of_group(o, id, USES_ADDRESS) : NULL;
}

static void cut_steps(Outside *o) {
  Program *p = o->layout->program;
  for (size_t s = 0; s < p->steps.count; s++) {
    const char *source = source_of_address(o, (StepId)s);
    if (source) layout_make_cut(p, (StepId)s, CUT_CONSTRUCT, source);
  }
}

void layout_cut_outside(Layout *layout) {
  Program *p = layout->program;
  if (!p->every_access || p->whole_blocks) return; // the property is not about invalid accesses
  size_t variables = p->variables.count * sizeof(char *), objects = p->objects.count * sizeof(char *);
  Outside o = {.layout = layout};
  o.variables = memory_allocate_zeroed(layout->account, variables);
  o.objects = memory_allocate_zeroed(layout->account, objects);
  step_uses_init(&o.uses, p, layout->account);
  mark_sources(&o);
  do {
    o.changed = false;
    for (size_t s = 0; s < p->steps.count; s++) spread(&o, (StepId)s);
  } while (o.changed);
  cut_steps(&o);
  step_uses_free(&o.uses);
  memory_free(layout->account, o.objects, objects);
  memory_free(layout->account, o.variables, variables);
}
