// Unrolling of a thread: states are propagated along the nesting order, merged where they meet, and repeated in loops.
#include "order/unroll/unroll_internal.h"
#include "program/facts/life.h"

// --- evaluation in a state ---

void unroll_new_evaluation(Unroller *u) { u->stamp++; }

static Term value_of_variable(Unroller *u, const State *state, Term t) {
  VariableId variable = program_variable_of_term(u->program, t);
  if (variable == NO_ID) return t;
  if (variable == u->into) return u->loaded;
  Term value = values_get(&state->values, u->local_index[variable]);
  return value != TERM_NONE ? value : term_constant(u->terms, term_width(u->terms, t), 0);
}

Term unroll_evaluate(Unroller *u, const State *state, Term t) {
  assert(t < u->memo_size);
  if (u->memo_stamp[t] == u->stamp) return u->memo[t];
  Term result = t;
  switch (term_operator(u->terms, t)) {
  case TERM_CONSTANT: return t;
  case TERM_VARIABLE: result = value_of_variable(u, state, t); break;
  default: {
    Term children[3];
    unsigned arity = term_arity(u->terms, t);
    for (unsigned i = 0; i < arity; i++) children[i] = unroll_evaluate(u, state, term_child(u->terms, t, i));
    result = term_rebuild(u->terms, t, children);
  }
  }
  u->memo_stamp[t] = u->stamp;
  u->memo[t] = result;
  return result;
}

// --- merging ---

// The value that TERM_NONE stands for at an index of a cell or of a condition of writes.
static Term default_value(Unroller *u, const State *state, uint32_t index) {
  CellId cell = index - u->variable_count;
  if (cell >= u->cell_count) return term_false(u->terms);
  if (state->section != NO_ID && cell_is_shared(u, cell)) return unroll_section_read(u, state->section, cell);
  return events_initial(u->events, cell);
}

// Merges `from` into `into` at the location.
static void merge(Unroller *u, LocationId location, State *into, State *from) {
  assert(into->section == from->section);
  if (into->alone && !from->alone) unroll_end_alone(u, into);
  if (from->alone && !into->alone) unroll_end_alone(u, from);
  Term first = conjunction_difference(guards_of(u), into->guard, from->guard);
  uint32_t i = 0;
  while ((i = values_next_difference(&into->values, &from->values, i)) != UINT32_MAX) {
    Term a = values_get(&into->values, i), b = values_get(&from->values, i), merged = TERM_NONE;
    if (i < u->variable_count) {
      VariableId variable = u->first_variable + i;
      if (live_at(&u->live, location, variable)) {
        Term zero = term_constant(u->terms, term_width(u->terms, variable_term(u->program, variable)), 0);
        merged = term_ite(u->terms, first, a ? a : zero, b ? b : zero);
      }
    } else {
      Term unset = default_value(u, into, i);
      merged = term_ite(u->terms, first, a ? a : unset, b ? b : unset);
    }
    values_set(&into->values, i, merged);
    i++;
  }
  into->guard = conjunction_or(guards_of(u), into->guard, from->guard);
  values_free(&from->values);
}

void unroll_arrive(Unroller *u, LocationId location, State *state) {
  StateVector *here = &u->pending[u->place[location]];
  for (size_t i = 0; i < here->count; i++) {
    if (here->data[i].section != state->section) continue;
    merge(u, location, &here->data[i], state);
    return;
  }
  StateVector_push(here, *state);
}

// --- places ---

void unroll_add_goal(Unroller *u, OrderGoalKind kind, const State *state, uint32_t what, bool included) {
  uint32_t logged = (uint32_t)u->events->threads[u->thread].occurrences.count;
  Goal goal = {.kind = kind, .thread = u->thread, .guard = state->guard, .what = what};
  goal.in_section = state->section != NO_ID;
  goal.occurrence = included ? logged : logged - 1;
  GoalVector_push(&u->events->goals, goal);
}

void unroll_add_stop(Unroller *u, StopKind kind, ConjunctionId guard, NodeId node, LocationId location, bool sure) {
  if (!u->options->deadlocks || guard == CONJUNCTION_FALSE) return;
  ThreadStop stop = {.kind = kind, .thread = u->thread, .guard = guard, .node = node, .location = location};
  ThreadStopVector_push(&u->events->stops, stop);
  if (!sure && u->options->doubts)
    SuppositionVector_push(&u->events->suppositions, (Supposition){.guard = guard, .cut = NO_ID});
}

// Is it known that the guards of the edges that leave the location exclude each other?
static bool edges_exclude(Unroller *u, LocationId location) {
  const Program *p = u->program;
  uint32_t count;
  const EdgeId *edges = location_edges(p, location, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (count > 1 && u->guard_needs_load[edges[i]]) return false; // each edge has a read of its own
    for (uint32_t j = 0; j < i; j++) {
      Term a = edge_first_step(p, edges[i])->guard;
      Term b = edge_first_step(p, edges[j])->guard;
      if (!term_is_false(u->terms, term_and(u->terms, a, b))) return false;
    }
  }
  return true;
}

static void leave_location(Unroller *u, LocationId id, State *state) {
  const Program *p = u->program;
  const Location *location = &p->locations.data[id];
  if (location->final) unroll_add_stop(u, STOP_FINISHED, state->guard, NO_ID, id, true);
  bool exclude = edges_exclude(u, id);
  ConjunctionId rest = state->guard;
  for (uint32_t i = 0; i < location->out_count; i++) {
    EdgeId edge = location_out_edge(p, location, i);
    ConjunctionId guard = rest;
    if (!exclude && i + 1 < location->out_count) {
      Term chosen = term_variable(u->terms, sort_bits(1), "chosen");
      guard = conjunction_and(guards_of(u), rest, chosen);
      rest = conjunction_and(guards_of(u), rest, term_not(u->terms, chosen));
    }
    unroll_edge(u, state, edge, guard);
  }
}

static void run_place(Unroller *u, uint32_t place) {
  StateVector here = u->pending[place];
  StateVector_init(&u->pending[place], u->account);
  LocationId location = u->order.data[place].location;
  for (size_t i = 0; i < here.count; i++) {
    State *state = &here.data[i];
    u->stopped |= budget_exhausted(u->budget, "order-unroll");
    if (u->checkpoint[location] && state->section == NO_ID) waiting_visit(u, location, state);
    if (state->guard != CONJUNCTION_FALSE && !u->stopped) leave_location(u, location, state);
    values_free(&state->values);
  }
  StateVector_free(&here);
}

// Ends the loop at the bound: every state that arrives at its head reaches a goal of kind GOAL_UNWINDING.
static void cut_loop(Unroller *u, uint32_t place) {
  StateVector *here = &u->pending[place];
  LocationId location = u->order.data[place].location;
  for (size_t i = 0; i < here->count; i++) {
    State *state = &here->data[i];
    if (u->checkpoint[location] && state->section == NO_ID) waiting_visit(u, location, state);
    if (state->guard != CONJUNCTION_FALSE) {
      unroll_end_inside(u, state);
      unroll_add_goal(u, GOAL_UNWINDING, state, location, false);
    }
    values_free(&state->values);
  }
  StateVector_clear(here);
}

static void run_range(Unroller *u, uint32_t start, uint32_t end);

// Does a state wait in the block? Irreducible control flow may enter a block elsewhere than at its head.
static bool is_entered(const Unroller *u, uint32_t start, uint32_t end) {
  for (uint32_t i = start; i < end; i++)
    if (u->pending[i].count > 0) return true;
  return false;
}

enum { MOST_ALONE = 20000 }; // most iterations decided by constants while main is alone, which cost little

static bool is_alone(const Unroller *u, uint32_t place) {
  const StateVector *here = &u->pending[place];
  return here->count == 1 && here->data[0].alone;
}

static void run_loop(Unroller *u, uint32_t start, uint32_t end) {
  unsigned counted = 0, free = 0;
  bool entered = is_entered(u, start, end);
  while ((entered || u->pending[start].count > 0) && !u->stopped) {
    entered = false;
    if (counted > u->options->bound) {
      cut_loop(u, start);
      return;
    }
    ActiveLoopVector_push(&u->loops, (ActiveLoop){.start = start, .end = end});
    run_place(u, start);
    run_range(u, start + 1, end);
    ActiveLoop done = ActiveLoopVector_pop(&u->loops);
    bool decided = done.closed && !done.open;
    if (decided && free < (is_alone(u, start) ? MOST_ALONE : u->options->free_iterations))
      free++;
    else if (decided && free >= u->options->free_iterations && !is_alone(u, start))
      counted = u->options->bound + 1; // the limit of free iterations is the bound of this loop
    else
      counted++;
  }
}

static void run_range(Unroller *u, uint32_t start, uint32_t end) {
  for (uint32_t i = start; i < end && !u->stopped;) {
    if (u->order.data[i].end > 0) {
      run_loop(u, i, u->order.data[i].end);
      i = u->order.data[i].end;
    } else {
      run_place(u, i++);
    }
  }
}

// --- threads ---

// The guard under which a thread is created. Several creations of one thread exclude each other.
static ConjunctionId creation_guard(Unroller *u, ThreadId thread) {
  ConjunctionId guard = CONJUNCTION_FALSE;
  for (size_t i = 0; i < u->events->spawns.count; i++) {
    const Spawn *spawn = &u->events->spawns.data[i];
    if (spawn->thread == thread) guard = conjunction_or(guards_of(u), guard, spawn->guard);
  }
  return guard;
}

// For deadlocks: the section is attempted, and what it reads says whether it can be finished. If it cannot, the thread
// stands before it. Guards behind the section imply that it is finished.
static void note_vain_section(Unroller *u, const Section *section) {
  const Node *node = &u->events->nodes.data[section->node];
  Term finish = conjunction_term(guards_of(u), section->finish);
  ConjunctionId guard = conjunction_and(guards_of(u), node->guard, term_not(u->terms, finish));
  unroll_add_stop(u, STOP_WAITS, guard, section->node, section->waits_at, false);
}

static void finish_sections(Unroller *u) {
  for (size_t i = 0; i < u->sections.count; i++) {
    Section *section = &u->sections.data[i];
    Node *node = &u->events->nodes.data[section->node];
    if (section->waits_at != NO_ID) {
      note_vain_section(u, section);
    } else if (section->may_wait) {
      Term finish = conjunction_difference(guards_of(u), section->finish, node->guard);
      Term entered = conjunction_term(guards_of(u), node->guard);
      TermVector_push(&u->events->facts, term_implies(u->terms, entered, finish));
      for (size_t e = u->first_event; e < u->events->events.count; e++) {
        Event *event = &u->events->events.data[e];
        if (event->node == section->node && !event->write) event->needed = finish;
      }
    }
    map_free(&section->reads);
    U32Vector_free(&section->touched);
  }
  SectionVector_clear(&u->sections);
}

static void number_variables(Unroller *u) {
  const Program *p = u->program;
  u->first_variable = NO_ID;
  u->variable_count = 0;
  for (VariableId v = 0; v < p->variables.count; v++) {
    if (p->variables.data[v].thread != u->thread) continue;
    if (u->first_variable == NO_ID) u->first_variable = v;
    u->variable_count = v - u->first_variable + 1; // numbers of other threads' variables between them are not used
  }
  for (uint32_t i = 0; i < u->variable_count; i++) u->local_index[u->first_variable + i] = i;
}

static void unroll_thread(Unroller *u, ThreadId thread, ConjunctionId guard) {
  const Program *p = u->program;
  u->thread = thread;
  u->first_event = u->events->events.count;
  number_variables(u);
  nesting_of_thread(p, thread, &u->order, u->place, u->account);
  size_t places = u->order.count;
  u->pending = memory_allocate_zeroed(u->account, places * sizeof *u->pending);
  u->snapshots = memory_allocate_zeroed(u->account, places * sizeof *u->snapshots);
  for (size_t i = 0; i < places; i++) StateVector_init(&u->pending[i], u->account);
  waiting_prepare_thread(u);
  State start = {.guard = guard, .section = NO_ID, .alone = thread == 0};
  values_init(&start.values, u->variable_count + 2 * u->cell_count, u->account);
  unroll_arrive(u, p->threads.data[thread].entry, &start);
  run_range(u, 0, (uint32_t)places);
  finish_sections(u);
  for (size_t i = 0; i < places; i++) {
    for (size_t k = 0; k < u->pending[i].count; k++) values_free(&u->pending[i].data[k].values);
    StateVector_free(&u->pending[i]);
    if (u->snapshots[i].valid) values_free(&u->snapshots[i].values);
  }
  memory_free(u->account, u->snapshots, places * sizeof *u->snapshots);
  memory_free(u->account, u->pending, places * sizeof *u->pending);
}

static void find_edge_facts(Unroller *u) {
  const Program *p = u->program;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    const Step *step = edge_first_step(p, e);
    if (step->kind == STEP_FREE || step->kind == STEP_END) u->frees = true;
    if (step->access.address == TERM_NONE || !step->access.reads || step->kind == STEP_START) continue;
    u->guard_needs_load[e] = term_mentions(u->terms, step->guard, variable_term(p, step->access.into));
  }
}

// Does every edge that leaves the location lead to an error, a cut, a halt or a doomed location?
static bool is_doomed(const Unroller *u, const Location *location) {
  const Program *p = u->program;
  for (uint32_t i = 0; i < location->out_count; i++) {
    const Edge *edge = &p->edges.data[location_out_edge(p, location, i)];
    StepKind kind = edge_step(p, edge, 0)->kind;
    // Main's return ends the process, too, but it is the normal way to leave main's loops.
    bool halts = kind == STEP_HALT && location->thread != 0;
    if (kind != STEP_ERROR && kind != STEP_CUT && !halts && !u->doomed[edge->to]) return false;
  }
  return location->out_count > 0;
}

static void find_doomed(Unroller *u) {
  const Program *p = u->program;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t l = p->locations.count; l-- > 0;) {
      if (u->doomed[l] || !is_doomed(u, &p->locations.data[l])) continue;
      u->doomed[l] = true;
      changed = true;
    }
  }
}

bool unroll(const Program *program, const UnrollOptions *options, Events *events, Budget *budget) {
  Account *account = events->account;
  Unroller u = {.program = program, .terms = program->terms, .options = options, .events = events, .budget = budget};
  u.account = account;
  u.cell_count = events_cell_count(program);
  u.memo_size = term_store_size(program->terms) + 1;
  size_t edges = program->edges.count, locations = program->locations.count, variables = program->variables.count;
  u.guard_needs_load = memory_allocate_zeroed(account, edges * sizeof(bool));
  u.visits = memory_allocate_zeroed(account, edges * sizeof(uint32_t));
  u.local_index = memory_allocate_zeroed(account, variables * sizeof(uint32_t));
  u.place = memory_allocate_zeroed(account, locations * sizeof(uint32_t));
  u.checkpoint = memory_allocate_zeroed(account, locations * sizeof(bool));
  u.doomed = memory_allocate_zeroed(account, locations * sizeof(bool));
  u.lock_after = memory_allocate(account, locations * sizeof(CellId));
  u.memo_stamp = memory_allocate_zeroed(account, u.memo_size * sizeof(uint32_t));
  u.memo = memory_allocate_zeroed(account, u.memo_size * sizeof(Term));
  NestingVector_init(&u.order, account);
  SectionVector_init(&u.sections, account);
  ActiveLoopVector_init(&u.loops, account);
  U32Vector_init(&u.written_alone, account);
  live_variables(program, &u.live, account);
  life_shared_objects(program, &u.lives, account);
  find_edge_facts(&u);
  find_doomed(&u);
  waiting_prepare(&u);
  for (ThreadId t = 0; t < program->threads.count && !u.stopped; t++) {
    assert(t == 0 || program->threads.data[t].parent < t);
    ConjunctionId guard = t == 0 ? CONJUNCTION_TRUE : creation_guard(&u, t);
    if (guard != CONJUNCTION_FALSE) unroll_thread(&u, t, guard);
  }
  live_variables_free(&u.live);
  bitset_free(&u.lives);
  U32Vector_free(&u.written_alone);
  ActiveLoopVector_free(&u.loops);
  SectionVector_free(&u.sections);
  NestingVector_free(&u.order);
  memory_free(account, u.memo, u.memo_size * sizeof(Term));
  memory_free(account, u.memo_stamp, u.memo_size * sizeof(uint32_t));
  memory_free(account, u.lock_after, locations * sizeof(CellId));
  memory_free(account, u.doomed, locations * sizeof(bool));
  memory_free(account, u.checkpoint, locations * sizeof(bool));
  memory_free(account, u.place, locations * sizeof(uint32_t));
  memory_free(account, u.local_index, variables * sizeof(uint32_t));
  memory_free(account, u.visits, edges * sizeof(uint32_t));
  memory_free(account, u.guard_needs_load, edges * sizeof(bool));
  if (!u.stopped) events_group(events);
  return !u.stopped;
}
