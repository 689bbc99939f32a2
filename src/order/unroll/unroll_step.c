// Unrolling of one edge: the meaning of a step (program.h) on symbolic states.
#include "order/unroll/unroll_internal.h"
#include "program/facts/life.h"
#include "program/facts/targets.h"
#include "program/passes/rewrite.h"

// Consecutive cells that an access may access, and the condition on the address.
typedef struct Target {
  Term condition;
  CellId first;
  uint32_t count;
  ConjunctionId guard; // the conjunction of the state's guard and the condition
  Term alive;          // the condition that the object is there with the accessed bytes
} Target;
VECTOR(TargetVector, Target);

typedef struct EdgeRun {
  Unroller *u;
  const Edge *edge;
  const Step *step;
  State state; // becomes the successor
  uint64_t key;
  NodeId node;     // of the access, if the access has a node of its own; else NO_ID
  bool external;   // the access may access cells that other threads can access
  bool may_choose; // the guard depends on a value that is read from outside: a free variable says if the thread passes
  bool goal;       // the step is an error or a cut, and can be reached
  TargetVector targets;
  Occurrence log;
} EdgeRun;

// --- the targets of an access ---

static void find_targets(EdgeRun *run, Term address) {
  Unroller *u = run->u;
  const Program *p = u->program;
  AccessTargetVector places;
  AccessTargetVector_init(&places, u->account);
  access_targets_of(p, &run->step->access, address, &places);
  for (size_t i = 0; i < places.count; i++) {
    AccessTarget place = places.data[i];
    Term here = term_constant(u->terms, p->pointer_width, p->cells.data[place.first].address);
    Term condition = term_eq(u->terms, address, here);
    if (term_is_false(u->terms, condition)) continue;
    Target target = {.condition = condition, .first = place.first, .count = place.count};
    target.alive = term_true(u->terms);
    TargetVector_push(&run->targets, target);
  }
  AccessTargetVector_free(&places);
}

// --- reading and writing ---

// The edge's own node, made on the first call.
static NodeId own_node(EdgeRun *run, ConjunctionId guard) {
  if (run->node == NO_ID) run->node = unroll_new_node(run->u, guard);
  return run->node;
}

// --- failing steps ---

// The values of the step's fresh variables, which a schedule gives before the step fails.
static void log_fresh(EdgeRun *run, Occurrence *log) {
  Unroller *u = run->u;
  log->first_fresh = (uint32_t)u->events->fresh.count;
  for (uint32_t i = 0; i < run->step->assignment_count; i++) {
    const Variable *variable = &u->program->variables.data[run->step->assignments[i].variable];
    if (value_is_fresh(run->step->assignments[i].value))
      TermVector_push(&u->events->fresh, term_variable(u->terms, term_sort(u->terms, variable->term), variable->name));
  }
  log->fresh_count = (uint32_t)u->events->fresh.count - log->first_fresh;
}

// Logs that the step is tried where `guard` holds, and fails.
static void log_failure(EdgeRun *run, ConjunctionId guard) {
  Unroller *u = run->u;
  Occurrence log = run->log;
  log.taken = guard;
  log.node = run->state.section == NO_ID ? run->node : u->sections.data[run->state.section].node;
  log.loaded = log.forgotten = TERM_NONE;
  log_fresh(run, &log);
  OccurrenceVector_push(&u->events->threads[u->thread].occurrences, log);
}

// If a failure of the step is an error (Step.fault): adds the goal that it fails, which is so where `fails` holds. The
// occurrence that leads to the goal is the failing step itself.
static void add_error(EdgeRun *run, const State *at) {
  unroll_add_goal(run->u, GOAL_ERROR, at, NO_ID, true);
  GoalVector_last(&run->u->events->goals)->steps[0] = run->edge->first_step;
}

// Does the thread stand in a section with accesses that may race? They are made even if the section is not left.
static bool accesses_of_section_may_race(const EdgeRun *run) {
  return run->state.section != NO_ID && run->u->sections.data[run->state.section].may_race;
}

// Does it matter whether the step fails? A failure may be an error, or end a section whose accesses may race.
static bool failure_counts(const EdgeRun *run) { return run->step->fault || accesses_of_section_may_race(run); }

// The step fails where `fails` holds, and the execution ends there.
static void note_fault(EdgeRun *run, Term fails) {
  Unroller *u = run->u;
  if (!failure_counts(run)) return;
  State at = run->state;
  at.guard = conjunction_and(guards_of(u), run->state.guard, fails);
  if (at.guard == CONJUNCTION_FALSE) return;
  unroll_end_inside(u, &at);
  if (run->step->fault) add_error(run, &at);
  log_failure(run, at.guard);
}

// Must an access check that the object is there with the accessed bytes?
static bool life_matters(const Unroller *u, const Object *object) {
  return object->sized || (u->frees && object->dynamic);
}

// If a target may have been freed or has a size of its own, the access reads its life. The guards are strengthened by
// the condition that the accessed bytes are there.
static void check_alive(EdgeRun *run) {
  Unroller *u = run->u;
  const Program *p = u->program;
  Term all = term_true(u->terms);
  for (size_t i = 0; i < run->targets.count; i++) {
    Target *target = &run->targets.data[i];
    const Cell *first = &p->cells.data[target->first];
    const Object *object = &p->objects.data[first->object];
    if (!life_matters(u, object)) continue;
    CellId cell = alive_cell(p, first->object);
    NodeId node = cell_is_external(u, &run->state, cell) ? own_node(run, run->state.guard) : NO_ID;
    Term life = unroll_read(u, &run->state, node, target->guard, cell, run->key + i);
    target->alive = life_allows(p, object, life, &run->step->access, first->address - object->address);
    target->guard = conjunction_and(guards_of(u), target->guard, target->alive);
    all = term_and(u->terms, all, term_implies(u->terms, target->condition, target->alive));
  }
  note_fault(run, term_not(u->terms, all));
  run->state.guard = conjunction_and(guards_of(u), run->state.guard, all);
}

static Term load_target(EdgeRun *run, const Target *target, uint32_t index) {
  Unroller *u = run->u;
  Term value = TERM_NONE;
  for (uint32_t k = 0; k < target->count; k++) {
    Term part = unroll_read(u, &run->state, run->node, target->guard, target->first + k, run->key + 64 * index + k);
    value = value == TERM_NONE ? part : term_binary(u->terms, TERM_CONCAT, part, value);
  }
  return value;
}

static Term load(EdgeRun *run) {
  Unroller *u = run->u;
  Term loaded = TERM_NONE;
  for (size_t i = run->targets.count; i-- > 0;) {
    const Target *target = &run->targets.data[i];
    Term value = load_target(run, target, (uint32_t)i);
    loaded = loaded == TERM_NONE ? value : term_ite(u->terms, target->condition, value, loaded);
  }
  return loaded;
}

static void store(EdgeRun *run, Term stored) {
  Unroller *u = run->u;
  const Program *p = u->program;
  for (size_t i = 0; i < run->targets.count; i++) {
    const Target *target = &run->targets.data[i];
    ConjunctionId guard = conjunction_and(guards_of(u), run->state.guard, target->condition);
    unsigned low = 0;
    for (uint32_t k = 0; k < target->count; k++) {
      CellId cell = target->first + k;
      unsigned width = 8 * p->cells.data[cell].bytes;
      Term part = term_extract(u->terms, stored, low + width - 1, low);
      Term before = TERM_NONE;
      if (run->log.loaded != TERM_NONE) before = term_extract(u->terms, run->log.loaded, low + width - 1, low);
      Term condition = run->targets.count == 1 ? term_true(u->terms) : target->condition;
      unroll_write(u, &run->state, run->node, guard, condition, cell, part, before);
      low += width;
    }
  }
}

// Records the condition that the read value must satisfy for the step to be taken.
static void note_needed(EdgeRun *run, size_t first_event, Term needed) {
  Events *events = run->u->events;
  for (size_t e = first_event; e < events->events.count; e++)
    if (!events->events.data[e].write) events->events.data[e].needed = needed;
}

// Adds a goal for an address inside an object that the static facts had not foreseen.
static void note_unforeseen(EdgeRun *run, Term address, Term valid) {
  Unroller *u = run->u;
  const Program *p = u->program;
  const Access *access = &run->step->access;
  ConjunctionId missed = conjunction_and(guards_of(u), run->state.guard, term_not(u->terms, valid));
  if (missed == CONJUNCTION_FALSE) return;
  Term inside = access_inside_objects(p, access, address);
  State at = run->state;
  at.guard = conjunction_and(guards_of(u), missed, inside);
  if (at.guard == CONJUNCTION_FALSE) return;
  unroll_end_inside(u, &at);
  unroll_add_goal(u, GOAL_UNFORESEEN, &at, p->edges.data[run->log.edge].first_step, false);
}

// The address may be none of those that were foreseen: it is invalid, or inside an object that was not foreseen.
static void note_invalid(EdgeRun *run, Term address, Term valid) {
  Unroller *u = run->u;
  const Access *access = &run->step->access;
  Term invalid = term_not(u->terms, valid);
  if (term_is_false(u->terms, invalid)) return;
  if (access_has_base(u->program, access)) {
    note_fault(run, invalid);
    return;
  }
  note_unforeseen(run, address, valid);
  if (failure_counts(run))
    note_fault(run,
               term_and(u->terms, invalid, term_not(u->terms, access_inside_objects(u->program, access, address))));
}

// Finds the targets of the access and strengthens the guard by the condition that one of them is valid. False: there is
// no valid target, and the execution ends here.
static bool find_valid_targets(EdgeRun *run, Term address) {
  Unroller *u = run->u;
  find_targets(run, address);
  Term valid = term_false(u->terms);
  for (size_t i = 0; i < run->targets.count; i++) {
    const Target *target = &run->targets.data[i];
    valid = term_or(u->terms, valid, target->condition);
    for (uint32_t k = 0; k < target->count; k++) run->external |= cell_is_external(u, &run->state, target->first + k);
  }
  note_invalid(run, address, valid);
  run->state.guard = conjunction_and(guards_of(u), run->state.guard, valid);
  if (run->state.guard == CONJUNCTION_FALSE) return false;
  run->may_choose = run->external && u->guard_needs_load[run->edge - u->program->edges.data];
  if (run->may_choose) {
    Term passes = term_variable(u->terms, sort_bits(1), "passes");
    run->state.guard = conjunction_and(guards_of(u), run->state.guard, passes);
  }
  for (size_t i = 0; i < run->targets.count; i++) {
    Target *target = &run->targets.data[i];
    target->guard = conjunction_and(guards_of(u), run->state.guard, target->condition);
  }
  check_alive(run);
  return run->state.guard != CONJUNCTION_FALSE;
}

// Records what the access touches, for races: its cells, and the lives of blocks that others may free.
static void note_accesses(EdgeRun *run) {
  Unroller *u = run->u;
  const Program *p = u->program;
  EdgeId edge = run->log.edge;
  for (size_t i = 0; u->options->races && i < run->targets.count; i++) {
    const Target *target = &run->targets.data[i];
    const Object *object = &p->objects.data[p->cells.data[target->first].object];
    for (uint32_t k = 0; k < target->count; k++)
      unroll_note_access(u, &run->state, run->step, edge, run->node, target->first + k, target->guard, target->guard);
    if (life_matters(u, object) && object->storage == STORAGE_HEAP)
      unroll_note_access(u, &run->state, run->step, edge, run->node, alive_cell(p, p->cells.data[target->first].object),
                         target->guard, target->guard);
  }
}

// If the step waits where `blocked` holds, the thread may stand here for good.
static void note_stop(EdgeRun *run, Term blocked) {
  Unroller *u = run->u;
  const Step *step = run->step;
  if (!u->options->deadlocks || !step_may_block(step) || step->excused || run->state.section != NO_ID) return;
  ConjunctionId guard = conjunction_and(guards_of(u), run->state.guard, blocked);
  // Inside a section (of main, while it is alone) and beside other edges it may be that the thread goes another way.
  const Location *from = &u->program->locations.data[run->edge->from];
  bool sure = !from->atomic && from->out_count == 1;
  unroll_add_stop(u, step_waits(step) ? STOP_WAITS : STOP_FINISHED, guard, run->node, run->edge->from, sure);
}

// What was read decides whether the step can be taken.
static void apply_loaded_guard(EdgeRun *run, size_t first_event, Term condition) {
  Unroller *u = run->u;
  bool attempted = u->options->deadlocks && step_may_block(run->step);
  note_stop(run, term_not(u->terms, condition));
  if (!run->may_choose) {
    run->state.guard = conjunction_and(guards_of(u), run->state.guard, condition);
    return;
  }
  // For deadlocks, the read is made whether the thread gets past the step or not.
  if (attempted)
    run->state.guard = conjunction_and(guards_of(u), run->state.guard, term_variable(u->terms, sort_bits(1), "passes"));
  TermVector_push(&u->events->facts,
                  term_implies(u->terms, conjunction_term(guards_of(u), run->state.guard), condition));
  if (run->targets.count == 1 && !attempted) note_needed(run, first_event, condition);
}

// Evaluates the guard and makes the read of the access, in the order in which they depend on each other. False: the
// step cannot be taken.
static bool access_and_guard(EdgeRun *run) {
  Unroller *u = run->u;
  const Step *step = run->step;
  const Access *access = &step->access;
  bool needs_load = u->guard_needs_load[run->edge - u->program->edges.data];
  if (!needs_load) {
    Term condition = unroll_evaluate(u, &run->state, step->guard);
    note_stop(run, term_not(u->terms, condition));
    run->state.guard = conjunction_and(guards_of(u), run->state.guard, condition);
    if (run->state.guard == CONJUNCTION_FALSE) return false;
  }
  if (access->address == TERM_NONE) return true;
  run->log.address = unroll_evaluate(u, &run->state, access->address);
  if (!find_valid_targets(run, run->log.address)) return false;
  if (run->external) own_node(run, run->state.guard);
  note_accesses(run);
  size_t first_event = u->events->events.count;
  if (access->reads) {
    run->log.loaded = load(run);
    u->into = access->into;
    u->loaded = run->log.loaded;
    unroll_new_evaluation(u);
  }
  if (needs_load) {
    Term condition = unroll_evaluate(u, &run->state, step->guard);
    apply_loaded_guard(run, first_event, condition);
    if (run->state.guard == CONJUNCTION_FALSE || term_is_false(u->terms, condition)) return false;
  }
  return true;
}

static void write_access(EdgeRun *run) {
  Unroller *u = run->u;
  const Access *access = &run->step->access;
  if (access->address == TERM_NONE || !access->writes) return;
  Term stored;
  if (access->stored == VALUE_INDETERMINATE) {
    stored = term_variable(u->terms, sort_bits(8u * access->bytes), "any");
    run->log.forgotten = stored;
  } else {
    stored = unroll_evaluate(u, &run->state, access->stored);
  }
  unroll_note_supposition(u, &run->state, run->step, stored);
  store(run, stored);
}

// --- kinds with an effect of their own ---

static void allocate_block(EdgeRun *run) {
  Unroller *u = run->u;
  const Program *p = u->program;
  const Object *object = &p->objects.data[run->step->target];
  if (!life_matters(u, object)) return;
  Term bytes = run->step->operand == TERM_NONE ? TERM_NONE : unroll_evaluate(u, &run->state, run->step->operand);
  CellId cell = alive_cell(p, run->step->target);
  if (cell_is_external(u, &run->state, cell)) own_node(run, run->state.guard);
  unroll_write(u, &run->state, run->node, run->state.guard, term_true(u->terms), cell, life_begun(p, object, bytes),
               TERM_NONE);
}

// If the pointer is null, nothing happens. If it is the start of a live block, the block's life ends. Any other pointer
// ends the execution.
static void free_block(EdgeRun *run) {
  Unroller *u = run->u;
  const Program *p = u->program;
  Term pointer = unroll_evaluate(u, &run->state, run->step->operand);
  Term valid = term_eq(u->terms, pointer, term_constant(u->terms, p->pointer_width, 0));
  ConjunctionId before = run->state.guard;
  for (ObjectId o = 0; o < p->objects.count; o++) {
    const Object *object = &p->objects.data[o];
    if (object->storage != STORAGE_HEAP || !object->dynamic) continue;
    Term here = term_eq(u->terms, pointer, term_constant(u->terms, p->pointer_width, object->address));
    ConjunctionId guard = conjunction_and(guards_of(u), before, here);
    if (guard == CONJUNCTION_FALSE) continue;
    CellId cell = alive_cell(p, o);
    if (cell_is_external(u, &run->state, cell)) own_node(run, before);
    Term life = unroll_read(u, &run->state, run->node, guard, cell, run->key + o);
    Term alive = life_is_there(p, object, life), dies = term_and(u->terms, here, alive);
    valid = term_or(u->terms, valid, dies);
    ConjunctionId freed = conjunction_and(guards_of(u), guard, alive);
    unroll_note_access(u, &run->state, run->step, run->log.edge, run->node, cell, freed, guard);
    unroll_write(u, &run->state, run->node, freed, dies, cell, life_none(p, object), life);
  }
  Term invalid = term_not(u->terms, valid);
  note_fault(run, invalid);
  if (u->options->races && !failure_counts(run))
    log_failure(run, conjunction_and(guards_of(u), run->state.guard, invalid));
  run->state.guard = conjunction_and(guards_of(u), run->state.guard, valid);
}

static void end_object(EdgeRun *run) {
  Unroller *u = run->u;
  const Program *p = u->program;
  const Object *object = &p->objects.data[run->step->target];
  if (!life_matters(u, object)) return;
  CellId cell = alive_cell(p, run->step->target);
  if (cell_is_external(u, &run->state, cell)) own_node(run, run->state.guard);
  unroll_write(u, &run->state, run->node, run->state.guard, term_true(u->terms), cell, life_none(p, object), TERM_NONE);
}

static void create_thread(EdgeRun *run) {
  Unroller *u = run->u;
  NodeId node =
      run->state.section == NO_ID ? own_node(run, run->state.guard) : u->sections.data[run->state.section].node;
  SpawnVector_push(&u->events->spawns,
                   (Spawn){.creator = node, .thread = run->step->target, .guard = run->state.guard});
}

// The process ends. A race with an access of the section that it ends in is a race all the same.
static bool halt(EdgeRun *run) {
  if (!accesses_of_section_may_race(run)) return false;
  run->goal = true;
  unroll_end_inside(run->u, &run->state);
  return false;
}

// The effects of the step's kind. False: the thread stops here.
static bool apply_kind(EdgeRun *run) {
  Unroller *u = run->u;
  const Step *step = run->step;
  switch (step->kind) {
  case STEP_ERROR:
  case STEP_CUT:
    run->goal = true;
    unroll_end_inside(u, &run->state);
    if (step->kind == STEP_ERROR)
      add_error(run, &run->state);
    else
      unroll_add_goal(u, GOAL_CUT, &run->state, step->target, true);
    return false;
  case STEP_HALT: return halt(run);
  case STEP_DIVIDE: {
    Term divisor = unroll_evaluate(u, &run->state, step->operand);
    note_fault(run, term_not(u->terms, term_is_nonzero(u->terms, divisor)));
    run->state.guard = conjunction_and(guards_of(u), run->state.guard, term_is_nonzero(u->terms, divisor));
    break;
  }
  case STEP_CHECK: {
    Term overflows = unroll_evaluate(u, &run->state, step->operand);
    note_fault(run, overflows);
    run->state.guard = conjunction_and(guards_of(u), run->state.guard, term_not(u->terms, overflows));
    break;
  }
  case STEP_ALLOCATE: allocate_block(run); break;
  case STEP_FREE: free_block(run); break;
  case STEP_END: end_object(run); break;
  case STEP_CREATE: create_thread(run); break;
  default: break;
  }
  return run->state.guard != CONJUNCTION_FALSE;
}

// --- variables ---

static void assign(EdgeRun *run) {
  Unroller *u = run->u;
  const Program *p = u->program;
  const Step *step = run->step;
  Term small[16];
  size_t bytes = step->assignment_count * sizeof(Term);
  Term *values = step->assignment_count <= 16 ? small : memory_allocate(u->account, bytes);
  run->log.first_fresh = (uint32_t)u->events->fresh.count;
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    const Assignment *assignment = &step->assignments[i];
    if (value_is_fresh(assignment->value)) {
      Sort sort = term_sort(u->terms, variable_term(p, assignment->variable));
      values[i] = term_variable(u->terms, sort, p->variables.data[assignment->variable].name);
      TermVector_push(&u->events->fresh, values[i]);
    } else {
      values[i] = unroll_evaluate(u, &run->state, assignment->value);
    }
  }
  run->log.fresh_count = (uint32_t)u->events->fresh.count - run->log.first_fresh;
  if (u->into != NO_ID) values_set(&run->state.values, u->local_index[u->into], u->loaded);
  for (uint32_t i = 0; i < step->assignment_count; i++)
    values_set(&run->state.values, u->local_index[step->assignments[i].variable], values[i]);
  if (values != small) memory_free(u->account, values, bytes);
}

// --- the edge ---

// May a thread that enters a section by this edge become blocked or stop inside the section?
static bool section_may_wait(Unroller *u, const Edge *entering) {
  const Program *p = u->program;
  LocationId location = entering->to;
  if (u->guard_needs_load[entering - p->edges.data]) return true;
  U32Vector stack;
  U32Vector_init(&stack, u->account);
  Map seen;
  map_init(&seen, u->account);
  U32Vector_push(&stack, location);
  map_put(&seen, location, 1);
  bool waits = false;
  while (stack.count > 0 && !waits) {
    const Location *at = &p->locations.data[U32Vector_pop(&stack)];
    if (!at->atomic) continue;
    waits = at->out_count == 0;
    for (uint32_t i = 0; i < at->out_count; i++) {
      const Edge *edge = &p->edges.data[location_out_edge(p, at, i)];
      const Step *step = edge_step(p, edge, 0);
      waits |= step->kind != STEP_PLAIN && step->kind != STEP_ATOMIC_END && step->kind != STEP_ATOMIC_BEGIN;
      waits |= step->access.address != TERM_NONE && u->guard_needs_load[edge - p->edges.data];
      if (map_contains(&seen, edge->to)) continue;
      map_put(&seen, edge->to, 1);
      U32Vector_push(&stack, edge->to);
    }
  }
  map_free(&seen);
  U32Vector_free(&stack);
  return waits;
}

// For deadlocks: can a thread that enters a section by this edge wait inside? Suppressed waits are none.
static bool section_waits(const Unroller *u, const Edge *entering) {
  const Program *p = u->program;
  U32Vector stack;
  U32Vector_init(&stack, u->account);
  Map seen;
  map_init(&seen, u->account);
  const Step *first = edge_step(p, entering, 0);
  bool waits = step_may_block(first), excused = waits && first->excused;
  U32Vector_push(&stack, entering->to);
  while (stack.count > 0) {
    LocationId id = U32Vector_pop(&stack);
    if (!p->locations.data[id].atomic || map_contains(&seen, id)) continue;
    map_put(&seen, id, 1);
    uint32_t count;
    const EdgeId *edges = location_edges(p, id, &count);
    for (uint32_t i = 0; i < count; i++) {
      const Step *step = edge_first_step(p, edges[i]);
      waits |= step_may_block(step);
      excused |= step_may_block(step) && step->excused;
      U32Vector_push(&stack, p->edges.data[edges[i]].to);
    }
  }
  map_free(&seen);
  U32Vector_free(&stack);
  return waits && !excused;
}

static void begin_section(EdgeRun *run) {
  Unroller *u = run->u;
  unroll_begin_section(u, &run->state, section_may_wait(u, run->edge), run->key);
  Section *section = &u->sections.data[run->state.section];
  if (u->options->deadlocks && section->may_wait && section_waits(u, run->edge)) section->waits_at = run->edge->from;
}

static void start_thread(EdgeRun *run) {
  // The guard of the creation is already part of every guard of this thread, and its node comes before (Spawn).
  Unroller *u = run->u;
  u->into = run->step->access.into;
  Term running = term_constant(u->terms, 8u * run->step->access.bytes, THREAD_RUNNING);
  u->loaded = u->into == NO_ID ? TERM_NONE : running;
  run->log.address = run->step->access.address;
  run->log.loaded = running;
}

static bool take(EdgeRun *run) {
  Unroller *u = run->u;
  const Program *p = u->program;
  bool to_inside = p->locations.data[run->edge->to].atomic;
  if (run->step->kind == STEP_CREATE && run->state.alone) unroll_end_alone(u, &run->state);
  if (to_inside && !run->state.alone && run->state.section == NO_ID) begin_section(run);
  u->into = NO_ID;
  unroll_new_evaluation(u);
  if (run->step->kind == STEP_START) {
    start_thread(run);
  } else if (!access_and_guard(run)) {
    return false;
  }
  run->log.taken = run->state.guard;
  if (!apply_kind(run)) {
    if (run->goal) assign(run); // for the fresh values that the step chooses
    return false;
  }
  write_access(run);
  assign(run);
  run->log.taken = run->state.guard;
  return true;
}

static void write_log(EdgeRun *run, uint32_t section) {
  run->log.node = section == NO_ID ? run->node : run->u->sections.data[section].node;
  OccurrenceVector_push(&run->u->events->threads[run->u->thread].occurrences, run->log);
}

// Records, for the loops that the edge leaves, whether they can be left in this iteration. Edges that only lead to the
// end of the execution do not count.
static void note_exits(const EdgeRun *run, bool taken) {
  Unroller *u = run->u;
  StepKind kind = run->step->kind;
  if (kind == STEP_ERROR || kind == STEP_CUT || kind == STEP_HALT || u->doomed[run->edge->to]) return;
  uint32_t to = u->place[run->edge->to];
  for (size_t i = 0; i < u->loops.count; i++) {
    ActiveLoop *loop = &u->loops.data[i];
    if (to >= loop->start && to < loop->end) continue;
    if (taken)
      loop->open = true;
    else
      loop->closed = true;
  }
}

void unroll_edge(Unroller *u, const State *before, EdgeId id, ConjunctionId guard) {
  const Program *p = u->program;
  const Edge *edge = &p->edges.data[id];
  assert(edge->step_count == 1);
  EdgeRun run = {.u = u, .edge = edge, .step = edge_step(p, edge, 0), .node = NO_ID};
  run.state = *before;
  run.state.guard = guard;
  values_copy(&run.state.values, &before->values);
  run.key = hash_mix((uint64_t)u->thread << 32 | id) ^ hash_mix(++u->visits[id]);
  run.log.edge = id;
  TargetVector_init(&run.targets, u->account);
  bool taken = take(&run), goal = run.goal;
  note_exits(&run, taken);
  uint32_t section = run.state.section;
  if (taken && section != NO_ID && !p->locations.data[edge->to].atomic) unroll_end_section(u, &run.state);
  if (taken || goal) write_log(&run, section);
  if (taken && run.state.guard != CONJUNCTION_FALSE)
    unroll_arrive(u, edge->to, &run.state);
  else
    values_free(&run.state.values);
  TargetVector_free(&run.targets);
}
