#include "transition/transition.h"

#include "program/facts/life.h"
#include "program/facts/own_constants.h"
#include "program/facts/targets.h"
#include "program/passes/rewrite.h"
#include "transition/instances.h"

// An edge while it is composed, with the values of the state variables so far.
typedef struct Composer {
  Transitions *t;
  Program *program;
  TermStore *terms;
  Map values, cache; // variable term -> term over the state before the edge
  TermVector changed;
  Map is_changed;
  Term guard, open, missed;
  TouchVector reads, writes;
  Transition *out;
} Composer;

static Term current(Composer *c, Term variable) { return (Term)map_get_or(&c->values, variable, variable); }

static Term evaluate(Composer *c, Term term) { return term_substitute(c->terms, term, &c->values, &c->cache); }

static void set(Composer *c, Term variable, Term value) {
  assert(term_sort(c->terms, variable) == term_sort(c->terms, value));
  if (!map_contains(&c->is_changed, variable)) TermVector_push(&c->changed, variable);
  map_put(&c->is_changed, variable, 1);
  map_put(&c->values, variable, value);
  map_clear(&c->cache);
}

// Adds a condition of the guard. If it is false, a thread that gets to this step is disabled for ever.
static void require(Composer *c, Term condition) {
  // After a step that waits, the condition only matters if the thread can get past that step.
  Term open = c->out->waits ? term_implies(c->terms, c->guard, condition) : condition;
  c->open = term_and(c->terms, c->open, open);
  c->guard = term_and(c->terms, c->guard, condition);
}

// Adds a condition of the guard. If it is false, a thread that gets to this step waits.
static void await(Composer *c, Term condition) {
  c->out->waits = true;
  c->guard = term_and(c->terms, c->guard, condition);
}

// --- accesses ---

typedef struct Place {
  Term condition;
  AccessTarget target;
} Place;
VECTOR(PlaceVector, Place);

// When the object of a place exists, with the bytes of the access; TERM_NONE: always.
static Term life_at(Composer *c, const Access *access, CellId first) {
  const Cell *cell = &c->program->cells.data[first];
  const Object *object = &c->program->objects.data[cell->object];
  Term life = c->t->alive[cell->object];
  if (life == TERM_NONE) return TERM_NONE;
  return life_allows(c->program, object, current(c, life), access, cell->address - object->address);
}

static void find_places(Composer *c, const Access *access, Term address, PlaceVector *places) {
  AccessTargetVector targets;
  AccessTargetVector_init(&targets, c->t->account);
  access_targets_of(c->program, access, address, &targets);
  for (size_t i = 0; i < targets.count; i++) {
    uint64_t at = c->program->cells.data[targets.data[i].first].address;
    Term here = term_constant(c->terms, c->program->pointer_width, at);
    Term condition = term_eq(c->terms, address, here);
    if (!term_is_false(c->terms, condition))
      PlaceVector_push(places, (Place){.condition = condition, .target = targets.data[i]});
  }
  AccessTargetVector_free(&targets);
}

// Adds to `missed`: the address lies inside an object, but at none of the places that were foreseen.
static void note_missed(Composer *c, const Access *access, Term address, Term valid) {
  if (term_is_true(c->terms, valid) || access_has_base(c->program, access)) return;
  Term inside = access_inside_objects(c->program, access, address);
  Term here = term_and(c->terms, c->guard, term_and(c->terms, inside, term_not(c->terms, valid)));
  c->missed = term_or(c->terms, c->missed, here);
}

// Touches have conditions over the state before the edge. A condition that depends on an input becomes true.
static Term without_inputs(const Composer *c, Term condition) {
  for (size_t i = c->out->first_fresh; i < c->t->fresh.count; i++)
    if (term_mentions(c->terms, condition, c->t->fresh.data[i])) return term_true(c->terms);
  return condition;
}

static void touch(TouchVector *list, uint32_t cell, Term when) {
  TouchVector_push(list, (Touch){.cell = cell, .when = when});
}

// The lives of the places are read.
static void note_lives(Composer *c, const PlaceVector *places) {
  for (size_t i = 0; i < places->count; i++) {
    ObjectId object = c->program->cells.data[places->data[i].target.first].object;
    Term when = without_inputs(c, places->data[i].condition);
    if (c->t->alive[object] != TERM_NONE) touch(&c->reads, (uint32_t)c->program->cells.count + object, when);
  }
}

static void note_access(Composer *c, const Access *access, const PlaceVector *places) {
  for (size_t i = 0; i < places->count; i++) {
    const AccessTarget *target = &places->data[i].target;
    Term when = without_inputs(c, places->data[i].condition);
    for (uint32_t k = 0; k < target->count; k++) {
      if (access->reads) touch(&c->reads, target->first + k, when);
      if (access->writes) touch(&c->writes, target->first + k, when);
    }
  }
  note_lives(c, places);
}

static Term load(Composer *c, const PlaceVector *places) {
  Term loaded = TERM_NONE;
  for (size_t i = places->count; i-- > 0;) {
    const Place *place = &places->data[i];
    Term value = TERM_NONE;
    for (uint32_t k = 0; k < place->target.count; k++) {
      Term part = current(c, c->program->cells.data[place->target.first + k].term);
      value = value == TERM_NONE ? part : term_binary(c->terms, TERM_CONCAT, part, value);
    }
    loaded = loaded == TERM_NONE ? value : term_ite(c->terms, place->condition, value, loaded);
  }
  return loaded;
}

static void store(Composer *c, const PlaceVector *places, Term stored) {
  for (size_t i = 0; i < places->count; i++) {
    const Place *place = &places->data[i];
    unsigned low = 0;
    for (uint32_t k = 0; k < place->target.count; k++) {
      const Cell *cell = &c->program->cells.data[place->target.first + k];
      unsigned width = 8 * cell->bytes;
      Term part = term_extract(c->terms, stored, low + width - 1, low);
      if (places->count > 1) part = term_ite(c->terms, place->condition, part, current(c, cell->term));
      set(c, cell->term, part);
      low += width;
    }
  }
}

static Term new_fresh(Composer *c, Sort sort, const char *name) {
  Term fresh = term_variable(c->terms, sort, name);
  TermVector_push(&c->t->fresh, fresh);
  return fresh;
}

// --- steps ---

// The first step of a thread reads that the thread runs. It has no other outcome, so it is composed with the creation.
static void start_thread(Composer *c, const Step *step) {
  VariableId into = step->access.into;
  if (into != NO_ID)
    set(c, variable_term(c->program, into), term_constant(c->terms, 8u * step->access.bytes, THREAD_RUNNING));
}

static void create_thread(Composer *c, ThreadId thread) {
  EdgeId start;
  thread_beginning(c->program, thread, &start);
  U32Vector_push(&c->t->births, thread);
  c->out->birth_count++;
  if (start != NO_ID) start_thread(c, edge_first_step(c->program, start));
}

// Under which condition the address is one of the places (`valid`), and the place it is exists (`alive`).
static void find_validity(Composer *c, const Access *access, const PlaceVector *places, Term *valid, Term *alive) {
  *valid = term_false(c->terms);
  *alive = term_true(c->terms);
  for (size_t i = 0; i < places->count; i++) {
    *valid = term_or(c->terms, *valid, places->data[i].condition);
    Term there = life_at(c, access, places->data[i].target.first);
    if (there == TERM_NONE) continue;
    *alive = term_and(c->terms, *alive, term_implies(c->terms, places->data[i].condition, there));
  }
}

// Composes the access up to the load. False: there is no valid place.
static bool begin_access(Composer *c, const Step *step, PlaceVector *places) {
  const Access *access = &step->access;
  Term address = evaluate(c, access->address), valid, alive;
  find_places(c, access, address, places);
  note_access(c, access, places);
  find_validity(c, access, places, &valid, &alive);
  note_missed(c, access, address, valid);
  require(c, term_and(c->terms, valid, alive));
  if (places->count == 0) return false;
  if (access->reads) set(c, variable_term(c->program, access->into), load(c, places));
  return true;
}

// Under which condition the pointer may be freed. The lives that this depends on are noted as read, and, if `frees`,
// end: the pointer is freed.
static Term compose_free(Composer *c, Term operand, bool frees) {
  const Program *p = c->program;
  Term pointer = evaluate(c, operand);
  Term valid = term_eq(c->terms, pointer, term_constant(c->terms, p->pointer_width, 0));
  for (ObjectId o = 0; o < p->objects.count; o++) {
    const Object *object = &p->objects.data[o];
    Term life = c->t->alive[o];
    if (life == TERM_NONE || object->storage != STORAGE_HEAP) continue;
    Term here = term_eq(c->terms, pointer, term_constant(c->terms, p->pointer_width, object->address));
    if (term_is_false(c->terms, here)) continue;
    Term before = current(c, life), dies = term_and(c->terms, here, life_is_there(p, object, before));
    valid = term_or(c->terms, valid, dies);
    if (frees) set(c, life, term_ite(c->terms, here, life_none(p, object), before));
    Term when = without_inputs(c, here);
    touch(&c->reads, (uint32_t)p->cells.count + o, when);
    if (frees) touch(&c->writes, (uint32_t)p->cells.count + o, when);
  }
  return valid;
}

static void end_life(Composer *c, ObjectId object) {
  if (c->t->alive[object] == TERM_NONE) return;
  set(c, c->t->alive[object], life_none(c->program, &c->program->objects.data[object]));
  touch(&c->writes, (uint32_t)c->program->cells.count + object, term_true(c->terms));
}

static void allocate_block(Composer *c, const Step *step) {
  const Program *p = c->program;
  Term bytes = step->operand == TERM_NONE ? TERM_NONE : evaluate(c, step->operand);
  set(c, c->t->alive[step->target], life_begun(p, &p->objects.data[step->target], bytes));
  touch(&c->writes, (uint32_t)p->cells.count + step->target, term_true(c->terms));
}

static void special(Composer *c, const Step *step) {
  switch (step->kind) {
  case STEP_ERROR: c->out->end = ENDS_IN_ERROR; break;
  case STEP_FAULT: c->out->end = step_is_error(step) ? ENDS_IN_ERROR : ENDS_THE_PROCESS; break;
  case STEP_HALT: c->out->end = ENDS_THE_PROCESS; break;
  case STEP_CUT:
    c->out->end = ENDS_IN_CUT;
    c->out->cut = step->target;
    break;
  case STEP_CREATE: create_thread(c, step->target); break;
  case STEP_DIVIDE: require(c, term_is_nonzero(c->terms, evaluate(c, step->operand))); break;
  case STEP_FREE: require(c, compose_free(c, step->operand, true)); break;
  case STEP_END: end_life(c, step->target); break;
  case STEP_ALLOCATE:
    if (c->t->alive[step->target] != TERM_NONE) allocate_block(c, step);
    break;
  default: break;
  }
}

static void assign(Composer *c, const Step *step) {
  TermVector values;
  TermVector_init(&values, c->t->account);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    const Assignment *assignment = &step->assignments[i];
    const Variable *variable = &c->program->variables.data[assignment->variable];
    bool fresh = value_is_fresh(assignment->value);
    Sort sort = term_sort(c->terms, variable->term);
    TermVector_push(&values, fresh ? new_fresh(c, sort, variable->name) : evaluate(c, assignment->value));
  }
  for (uint32_t i = 0; i < step->assignment_count; i++)
    set(c, variable_term(c->program, step->assignments[i].variable), values.data[i]);
  TermVector_free(&values);
}

// Requires that the access, or the FREE, is invalid. An address inside an object that was not foreseen is none that is
// known to be invalid: the step beside this one notes it as missed.
static void compose_fault(Composer *c, const Step *step) {
  const Access *access = &step->access;
  require(c, evaluate(c, step->guard));
  if (access->address == TERM_NONE) {
    require(c, term_not(c->terms, compose_free(c, step->operand, false)));
    special(c, step);
    return;
  }
  PlaceVector places;
  PlaceVector_init(&places, c->t->account);
  Term address = evaluate(c, access->address), valid, alive;
  find_places(c, access, address, &places);
  note_lives(c, &places);
  find_validity(c, access, &places, &valid, &alive);
  require(c, term_not(c->terms, term_and(c->terms, valid, alive)));
  if (!term_is_true(c->terms, valid) && !access_has_base(c->program, access)) {
    Term inside = access_inside_objects(c->program, access, address);
    require(c, term_or(c->terms, valid, term_not(c->terms, inside)));
  }
  PlaceVector_free(&places);
  special(c, step);
}

static void compose_step(Composer *c, const Step *step) {
  if (step->kind == STEP_FAULT) {
    compose_fault(c, step);
    return;
  }
  const Access *access = &step->access;
  PlaceVector places;
  PlaceVector_init(&places, c->t->account);
  bool possible = true;
  if (step->kind == STEP_START) {
    start_thread(c, step);
  } else {
    if (access->address != TERM_NONE) possible = begin_access(c, step, &places);
    if (possible && step_may_block(step))
      await(c, evaluate(c, step->guard));
    else if (possible)
      require(c, evaluate(c, step->guard));
  }
  if (possible) {
    special(c, step);
    if (access->address != TERM_NONE && access->writes && step->kind != STEP_START) {
      bool any = access->stored == VALUE_INDETERMINATE;
      store(c, &places, any ? new_fresh(c, sort_bits(8u * access->bytes), "any") : evaluate(c, access->stored));
    }
    assign(c, step);
  }
  PlaceVector_free(&places);
}

// --- edges and actions ---

// If only an error or a cut can follow the edge, it becomes a part of the edge.
static void follow_to_end(Composer *c, LocationId to) {
  const Program *p = c->program;
  uint32_t count;
  const EdgeId *edges = location_edges(p, to, &count);
  if (count != 1 || p->locations.data[to].atomic) return;
  const Step *step = edge_first_step(p, edges[0]);
  bool ends = step->kind == STEP_ERROR || step->kind == STEP_CUT;
  if (!ends || p->edges.data[edges[0]].step_count != 1 || step->access.address != TERM_NONE ||
      step->assignment_count > 0)
    return;
  if (!term_is_true(c->terms, step->guard)) return;
  special(c, step);
  c->out->then = edges[0];
}

// Uses constants that are known where a thread stands. What it knows of a cell holds for its own accesses alone; at a
// joint edge, which contains those of another thread, only what it knows of its variables counts.
static void assume_known(Composer *c, const OwnConstantVector *known, bool joint) {
  for (size_t i = 0; i < known->count; i++)
    if (!joint || program_variable_of_term(c->program, known->data[i].variable) != NO_ID)
      map_put(&c->values, known->data[i].variable, known->data[i].value);
}

// Composes the edge, with the constants that are known at its source, and appends the result. Of a joint edge:
// `known_of_other` is known where the other thread stands.
static void compose_edge(Composer *c, const Edge *edge, const OwnConstantVector *known,
                         const OwnConstantVector *known_of_other) {
  Transitions *t = c->t;
  Transition out = {
      .first_birth = (uint32_t)t->births.count, .cut = NO_ID, .then = NO_ID, .first_fresh = (uint32_t)t->fresh.count};
  c->out = &out;
  map_clear(&c->values);
  map_clear(&c->cache);
  map_clear(&c->is_changed);
  TermVector_clear(&c->changed);
  TouchVector_clear(&c->reads);
  TouchVector_clear(&c->writes);
  assume_known(c, known, known_of_other != NULL);
  if (known_of_other) assume_known(c, known_of_other, true);
  c->guard = c->open = term_true(c->terms);
  c->missed = term_false(c->terms);
  for (uint32_t i = 0; i < edge->step_count; i++) {
    compose_step(c, edge_step(c->program, edge, i));
    if (i == 0) out.first_guard = c->guard;
  }
  // A formula may observe the location before the end.
  if (out.end == ENDS_NOT && c->program->observations.count == 0) follow_to_end(c, edge->to);
  out.guard = c->guard;
  out.open = c->open;
  out.missed = term_is_false(c->terms, c->missed) ? TERM_NONE : c->missed;
  out.fresh_count = (uint32_t)t->fresh.count - out.first_fresh;
  out.first_update = (uint32_t)t->updates.count;
  for (size_t i = 0; i < c->changed.count; i++) {
    Term variable = c->changed.data[i], value = current(c, variable);
    if (value != variable) UpdateVector_push(&t->updates, (Update){.variable = variable, .value = value});
  }
  out.update_count = (uint32_t)t->updates.count - out.first_update;
  out.reads = touch_set_add(&t->touches, &c->reads, c->terms);
  out.writes = touch_set_add(&t->touches, &c->writes, c->terms);
  assert(out.first_birth + out.birth_count == t->births.count);
  TransitionVector_push(&t->edges, out);
}

// Removes the edge that was composed last.
static void forget_edge(Composer *c) {
  Transition last = TransitionVector_pop(&c->t->edges);
  c->t->fresh.count = last.first_fresh;
  c->t->births.count = last.first_birth;
  c->t->updates.count = last.first_update;
  c->t->touches.count = last.reads.first;
}

// --- what threads know by themselves ---

// Finds the constants after an edge. False: the edge cannot be taken.
static bool know_after(void *context, EdgeId edge, const OwnConstantVector *before, OwnConstantVector *after) {
  Composer *c = context;
  Transitions *t = c->t;
  compose_edge(c, &c->program->edges.data[edge], before, NULL);
  const Transition *out = TransitionVector_last(&t->edges);
  bool possible = !term_is_false(c->terms, out->guard);
  for (size_t i = 0; possible && i < before->count; i++) OwnConstantVector_push(after, before->data[i]);
  for (uint32_t i = 0; possible && i < out->update_count; i++) {
    Update update = t->updates.data[out->first_update + i];
    if (!is_own_variable(c->program, update.variable)) continue;
    own_constants_set(after, update.variable, term_is_constant(c->terms, update.value) ? update.value : TERM_NONE);
  }
  forget_edge(c);
  return possible;
}

typedef struct SharedSearch {
  const Program *program;
  bool found;
} SharedSearch;

static void look_for_shared(void *context, Term variable) {
  SharedSearch *search = context;
  const Program *p = search->program;
  CellId cell = program_cell_of_term(p, variable);
  search->found |= cell != NO_ID && p->cells.data[cell].shared;
}

static bool others_may_enable(const Program *p, const Transition *transition) {
  SharedSearch search = {.program = p, .found = transition->waits};
  term_each_variable(p->terms, transition->guard, look_for_shared, &search);
  return search.found;
}

// --- joint edges ---

typedef struct StateSearch {
  const Transitions *t;
  bool only; // all variables are state variables
} StateSearch;

static void look_for_fresh(void *context, Term variable) {
  StateSearch *search = context;
  search->only &= term_variable_index(search->t->program->terms, variable) < search->t->state_limit;
}

static bool is_over_state(const Transitions *t, Term condition) {
  StateSearch search = {.t = t, .only = true};
  term_each_variable(t->program->terms, condition, look_for_fresh, &search);
  return search.only;
}

static bool waits_excused(const Program *p, EdgeId e) {
  uint32_t count;
  const Step *steps = edge_steps(p, e, &count);
  for (uint32_t i = 0; i < count; i++)
    if (step_waits(&steps[i]) && steps[i].excused) return true;
  return false;
}

// A thread at the location can take no edge, and, unless it is `idle`, gets to a step that waits. A wait that is
// suppressed does not count: there the thread counts as one that can move.
static Term blocked_at(Composer *c, LocationId at, bool idle) {
  Program *p = c->program;
  Term stuck = term_true(c->terms), waits = term_bool(c->terms, idle);
  uint32_t count;
  const EdgeId *edges = location_edges(p, at, &count);
  for (uint32_t i = 0; i < count; i++) {
    const Transition *edge = &c->t->edges.data[edges[i]];
    stuck = term_and(c->terms, stuck, term_not(c->terms, edge->guard));
    if (!edge->waits) continue;
    if (waits_excused(p, edges[i]))
      stuck = term_and(c->terms, stuck, term_not(c->terms, edge->open));
    else
      waits = term_or(c->terms, waits, edge->open);
  }
  return term_and(c->terms, stuck, waits);
}

// A joint edge belongs to no single thread: reductions look at the edges that it was made from.
static void finish_joint(Composer *c, EdgeId e, JointKind kind) {
  Transition *transition = &c->t->edges.data[e];
  transition->missed = TERM_NONE; // as the two threads' own edges say
  transition->reads.count = transition->writes.count = 0;
  if (kind == JOINT_RACE) return;
  Term blocked = blocked_at(c, c->program->edges.data[e].from, kind == JOINT_IDLE);
  if (!is_over_state(c->t, blocked)) {
    c->program->joints_missing = "a thread that waits in an atomic section, or not, as an input decides";
    blocked = term_false(c->terms);
  }
  transition->guard = transition->first_guard = transition->open = blocked;
}

static void compose_all(Composer *c) {
  const Program *p = c->program;
  OwnConstants constants;
  own_constants_init(&constants, p, know_after, c, c->t->account);
  assert(c->t->edges.count == 0); // those that were composed to find the constants are forgotten
  for (EdgeId e = 0; e < p->edges.count; e++) {
    const JointEdge *joint = program_joint(p, e);
    bool race = joint && joint->kind == JOINT_RACE;
    compose_edge(c, &p->edges.data[e], own_constants_at(&constants, p->edges.data[e].from),
                 race ? own_constants_at(&constants, joint->partner) : NULL);
    if (joint) finish_joint(c, e, joint->kind);
  }
  own_constants_free(&constants);
  for (size_t e = 0; e < p->edges.count; e++) {
    Transition *transition = &c->t->edges.data[e];
    transition->others_may_enable = others_may_enable(p, transition);
  }
}

// Of a cell, or of the life of an object.
static bool is_shared(const Program *p, const Bitset *lives, uint32_t cell) {
  if (cell < p->cells.count) return p->cells.data[cell].shared;
  return p->threads.count > 1 && bitset_get(lives, cell - (uint32_t)p->cells.count);
}

static bool step_is_visible(const Step *step) {
  switch (step->kind) {
  case STEP_PLAIN:
  case STEP_ASSUME:
  case STEP_DIVIDE:
  case STEP_CHECK:
  case STEP_FAULT: // what it touches decides
  case STEP_ALLOCATE: return false;
  default: return true;
  }
}

static void describe_action(Transitions *t, LocationId id, const Bitset *lives, TouchVector *reads,
                            TouchVector *writes) {
  const Program *p = t->program;
  const Location *location = &p->locations.data[id];
  Action action = {.local = !location->atomic};
  TouchVector_clear(reads);
  TouchVector_clear(writes);
  uint32_t count;
  const EdgeId *edges = location_edges(p, id, &count);
  for (uint32_t i = 0; i < count; i++) {
    EdgeId e = edges[i];
    const Transition *edge = &t->edges.data[e];
    touch_set_list(&t->touches, edge->reads, reads);
    touch_set_list(&t->touches, edge->writes, writes);
    action.loops |= p->edges.data[e].back;
    if (edge->missed != TERM_NONE || edge->end == ENDS_IN_CUT || p->locations.data[p->edges.data[e].to].atomic)
      action.local = false;
    uint32_t step_count;
    const Step *steps = edge_steps(p, e, &step_count);
    for (uint32_t s = 0; s < step_count; s++)
      if (step_is_visible(&steps[s])) action.local = false;
  }
  // If it may be that no edge is possible, the thread may be disabled here for ever. Then other threads must run
  // before.
  Term any = term_false(p->terms);
  for (uint32_t i = 0; i < count; i++) any = term_or(p->terms, any, t->edges.data[edges[i]].guard);
  action.local &= term_is_true(p->terms, any);
  for (size_t i = 0; i < reads->count; i++) action.local &= !is_shared(p, lives, reads->data[i].cell);
  for (size_t i = 0; i < writes->count; i++) action.local &= !is_shared(p, lives, writes->data[i].cell);
  action.reads = touch_set_add(&t->touches, reads, p->terms);
  action.writes = touch_set_add(&t->touches, writes, p->terms);
  ActionVector_push(&t->actions, action);
}

static bool ends_lives(const Program *p) {
  for (size_t s = 0; s < p->steps.count; s++)
    if (p->steps.data[s].kind == STEP_FREE || p->steps.data[s].kind == STEP_END) return true;
  return false;
}

void transitions_init(Transitions *t, Program *program, Account *account) {
  *t = (Transitions){.program = program, .account = account};
  TransitionVector_init(&t->edges, account);
  ActionVector_init(&t->actions, account);
  UpdateVector_init(&t->updates, account);
  TermVector_init(&t->fresh, account);
  U32Vector_init(&t->births, account);
  TouchVector_init(&t->touches, account);
  t->alive = memory_allocate_zeroed(account, program->objects.count * sizeof(Term));
  bool frees = ends_lives(program);
  for (size_t o = 0; o < program->objects.count; o++) {
    const Object *object = &program->objects.data[o];
    if (object->sized || (frees && object->dynamic))
      t->alive[o] = term_variable(program->terms, sort_bits(life_width(object)), "alive");
  }
  t->state_limit = (uint32_t)term_store_variable_count(program->terms);
  Composer c = {.t = t, .program = program, .terms = program->terms};
  map_init(&c.values, account);
  map_init(&c.cache, account);
  map_init(&c.is_changed, account);
  TermVector_init(&c.changed, account);
  TouchVector_init(&c.reads, account);
  TouchVector_init(&c.writes, account);
  compose_all(&c);
  assert(t->edges.count == program->edges.count);
  Bitset lives;
  life_shared_objects(program, &lives, account);
  for (LocationId l = 0; l < program->locations.count; l++) describe_action(t, l, &lives, &c.reads, &c.writes);
  bitset_free(&lives);
  TouchVector_free(&c.writes);
  TouchVector_free(&c.reads);
  TermVector_free(&c.changed);
  map_free(&c.is_changed);
  map_free(&c.cache);
  map_free(&c.values);
}

void transitions_free(Transitions *t) {
  memory_free(t->account, t->alive, t->program->objects.count * sizeof(Term));
  TouchVector_free(&t->touches);
  U32Vector_free(&t->births);
  TermVector_free(&t->fresh);
  UpdateVector_free(&t->updates);
  ActionVector_free(&t->actions);
  TransitionVector_free(&t->edges);
}

ThreadMask transitions_births(const Transitions *t, EdgeId edge) {
  assert(edge < t->edges.count);
  const Transition *transition = &t->edges.data[edge];
  ThreadMask births = 0;
  for (uint32_t i = 0; i < transition->birth_count; i++) {
    assert(t->births.data[transition->first_birth + i] < MOST_MASKED_THREADS);
    births |= thread_bit(t->births.data[transition->first_birth + i]);
  }
  return births;
}

Term transitions_initial(const Transitions *t, Term variable) {
  const Program *p = t->program;
  CellId cell = program_cell_of_term(p, variable);
  if (cell != NO_ID) return p->cells.data[cell].initial;
  return term_constant(p->terms, term_width(p->terms, variable), 0); // variables start as 0, blocks are not allocated
}

Term transitions_conflict(const Transitions *t, EdgeId edge, LocationId location) {
  assert(edge < t->edges.count && location < t->actions.count);
  const Transition *e = &t->edges.data[edge];
  const Action *a = &t->actions.data[location];
  TermStore *terms = t->program->terms;
  Term both_write = touch_sets_meet(&t->touches, e->writes, a->writes, terms);
  Term edge_writes = touch_sets_meet(&t->touches, e->writes, a->reads, terms);
  Term action_writes = touch_sets_meet(&t->touches, e->reads, a->writes, terms);
  return term_or(terms, both_write, term_or(terms, edge_writes, action_writes));
}

Term transitions_instances(const Transitions *t, EdgeId edge, Term formula) {
  const Transition *transition = &t->edges.data[edge];
  if (transition->fresh_count == 0) return formula;
  TermVector instances;
  TermVector_init(&instances, t->account);
  const Term *inputs = t->fresh.data + transition->first_fresh;
  instances_add(t->program->terms, formula, t->state_limit, inputs, transition->fresh_count, &instances, t->account);
  Term all = formula;
  for (size_t i = 0; i < instances.count; i++) all = term_and(t->program->terms, all, instances.data[i]);
  TermVector_free(&instances);
  return all;
}

// --- for reductions ---

static bool transitions_counts(const Transitions *t, EdgeId edge) {
  assert(edge < t->edges.count);
  if (program_joint(t->program, edge)) return false;
  const Transition *transition = &t->edges.data[edge];
  return transition->missed != TERM_NONE || !term_is_false(t->program->terms, transition->guard);
}

static bool source_counts(const void *context, EdgeId edge) { return transitions_counts(context, edge); }

static bool source_may_stray(const void *context, EdgeId edge) {
  const Transitions *t = context;
  return t->edges.data[edge].missed != TERM_NONE;
}

static void source_each_touch(const void *context, EdgeId edge, ThingVisit visit, void *to) {
  const Transitions *t = context;
  TouchSet reads = t->edges.data[edge].reads, writes = t->edges.data[edge].writes;
  assert(reads.first + reads.count <= t->touches.count && writes.first + writes.count <= t->touches.count);
  for (uint32_t i = 0; i < reads.count; i++) visit(to, t->touches.data[reads.first + i].cell, true, false);
  for (uint32_t i = 0; i < writes.count; i++) visit(to, t->touches.data[writes.first + i].cell, false, true);
}

static ThreadMask source_creates(const void *context, EdgeId edge) { return transitions_births(context, edge); }

TouchSource transitions_touches(const Transitions *t) {
  return (TouchSource){.program = t->program,
                       .context = t,
                       .thing_count = t->program->cells.count + t->program->objects.count,
                       .counts = source_counts,
                       .may_stray = source_may_stray,
                       .each_touch = source_each_touch,
                       .creates = source_creates};
}
