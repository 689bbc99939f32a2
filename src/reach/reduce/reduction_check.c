#include "reach/reduce/reduction_check.h"

void reduction_check_init(ReductionCheck *check, Explorer *explorer) {
  *check =
      (ReductionCheck){.explorer = explorer, .terms = explorer_terms(explorer), .account = explorer_account(explorer)};
  check->solver = solver_new(SOLVER_AUTOMATIC, check->terms, check->account, explorer_budget(explorer));
  feasibility_init(&check->feasibility, explorer_transitions(explorer), explorer_tree(explorer),
                   explorer_budget(explorer), check->account);
  map_init(&check->commuting, check->account);
  map_init(&check->local, check->account);
  map_init(&check->futures, check->account);
  map_init(&check->needs, check->account);
  TermVector_init(&check->closed, check->account);
  for (unsigned side = 0; side < 2; side++) map_init(&check->copies[side], check->account);
}

void reduction_check_free(ReductionCheck *check) {
  for (unsigned side = 0; side < 2; side++) map_free(&check->copies[side]);
  TermVector_free(&check->closed);
  map_free(&check->needs);
  map_free(&check->futures);
  map_free(&check->local);
  map_free(&check->commuting);
  feasibility_free(&check->feasibility);
  solver_free(check->solver);
}

// --- untracked variables ---

// May the variable have any value before each step? The values of thread statuses and of locks are functions of
// control, so they always count as tracked.
static bool is_unknown(const ReductionCheck *check, Term variable) {
  const Explorer *x = check->explorer;
  if (!explorer_reduction(x)->kind->looks_at_precision) return false;
  const Program *p = explorer_program(x);
  CellId cell = program_cell_of_term(p, variable);
  if (cell == NO_ID) cell = (CellId)map_get_or(&explorer_precision(x)->alive, variable, NO_ID);
  if (cell == NO_ID || bitset_get(&explorer_precision(x)->cells, cell)) return false;
  if (cell >= p->cells.count) return true;
  const U32Vector *locks = &explorer_reduction(x)->locks.cells;
  for (size_t i = 0; i < locks->count; i++)
    if (locks->data[i] == cell) return false;
  const Object *object = &p->objects.data[p->cells.data[cell].object];
  return object->storage != STORAGE_CONTROL || p->cells.data[cell].address != object->address + CONTROL_STATUS;
}

typedef struct Copying {
  ReductionCheck *check;
  unsigned side;
  Map copies; // unknown variable of the term -> its copy
} Copying;

static void copy_unknown(void *context, Term variable) {
  Copying *copying = context;
  ReductionCheck *check = copying->check;
  if (!is_unknown(check, variable)) return;
  uint64_t copy;
  if (!map_get(&check->copies[copying->side], variable, &copy)) {
    copy = term_variable(check->terms, term_sort(check->terms, variable), "unknown");
    map_put(&check->copies[copying->side], variable, copy);
  }
  map_put(&copying->copies, variable, copy);
}

// The term with the unknown variables replaced by the copies of that side.
static Term seen_by(ReductionCheck *check, unsigned side, Term term) {
  if (!explorer_reduction(check->explorer)->kind->looks_at_precision) return term;
  Copying copying = {.check = check, .side = side};
  map_init(&copying.copies, check->account);
  term_each_variable(check->terms, term, copy_unknown, &copying);
  if (copying.copies.count > 0) term = term_substitute(check->terms, term, &copying.copies, NULL);
  map_free(&copying.copies);
  return term;
}

// --- do two edges commute? ---

static const Transition *transition_of(const ReductionCheck *check, EdgeId edge) {
  return &explorer_transitions(check->explorer)->edges.data[edge];
}

static const Update *updates_of(const ReductionCheck *check, const Transition *transition) {
  return explorer_transitions(check->explorer)->updates.data + transition->first_update;
}

// Two edges that are compared.
typedef struct Pair {
  ReductionCheck *check;
  EdgeId edges[2];
} Pair;

static const Transition *transition_on(const Pair *pair, unsigned side) {
  assert(side < 2);
  return transition_of(pair->check, pair->edges[side]);
}

static Term guard_on(const Pair *pair, unsigned side) {
  return seen_by(pair->check, side, transition_on(pair, side)->guard);
}

// The value of a term after the edge on that side, over the state before it.
static Term after_edge(const Pair *pair, unsigned side, Term term) {
  ReductionCheck *check = pair->check;
  const Transition *transition = transition_on(pair, side);
  Map after, cache;
  map_init(&after, check->account);
  map_init(&cache, check->account);
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const Update *update = &updates_of(check, transition)[i];
    if (!is_unknown(check, update->variable)) map_put(&after, update->variable, seen_by(check, side, update->value));
  }
  Term value = term_substitute(check->terms, term, &after, &cache);
  map_free(&cache);
  map_free(&after);
  return value;
}

static Term not_same(ReductionCheck *check, Term a, Term b) {
  return a == b ? term_false(check->terms) : term_not(check->terms, term_eq(check->terms, a, b));
}

// The condition under which taking the edge on that side changes whether the other edge can be taken or meets an
// unforeseen pointer. An edge that ends the process disturbs nothing and is not disturbed.
static Term disturbs(const Pair *pair, unsigned side) {
  ReductionCheck *check = pair->check;
  const Transition *other = transition_on(pair, !side);
  Term changed = term_false(check->terms);
  if (transition_on(pair, side)->end == ENDS_THE_PROCESS) return changed;
  if (other->end != ENDS_THE_PROCESS) {
    Term guard = guard_on(pair, !side);
    changed = not_same(check, guard, after_edge(pair, side, guard));
  }
  if (other->missed != TERM_NONE) {
    Term missed = seen_by(check, !side, other->missed);
    changed = term_or(check->terms, changed, not_same(check, missed, after_edge(pair, side, missed)));
  }
  return term_and(check->terms, guard_on(pair, side), changed);
}

// The value of a variable after the edge on side `first` and then the other one.
static Term after_both(const Pair *pair, unsigned first, Term variable) {
  return after_edge(pair, first, after_edge(pair, !first, variable));
}

static Term differ_after(const Pair *pair) {
  ReductionCheck *check = pair->check;
  Term differ = term_false(check->terms);
  for (unsigned side = 0; side < 2; side++) {
    const Transition *transition = transition_on(pair, side);
    if (transition->end == ENDS_THE_PROCESS) return term_false(check->terms);
    for (uint32_t i = 0; i < transition->update_count; i++) {
      Term variable = updates_of(check, transition)[i].variable;
      if (is_unknown(check, variable)) continue;
      Term one = after_both(pair, 0, variable), other = after_both(pair, 1, variable);
      differ = term_or(check->terms, differ, not_same(check, one, other));
    }
  }
  return term_and(check->terms, term_and(check->terms, guard_on(pair, 0), guard_on(pair, 1)), differ);
}

static uint32_t precision_stamp(const ReductionCheck *check) {
  return explorer_precision(check->explorer)->tracks.stamp;
}

static bool commute(ReductionCheck *check, Term label, EdgeId a, EdgeId b) {
  const uint32_t parts[4] = {label, a, b, precision_stamp(check)};
  uint64_t key = hash_bytes(parts, sizeof parts);
  if (map_contains(&check->commuting, key)) return true;
  check->pairs++;
  Pair pair = {.check = check, .edges = {a, b}};
  Term violations[3] = {disturbs(&pair, 0), disturbs(&pair, 1), differ_after(&pair)};
  for (unsigned i = 0; i < 3; i++) {
    if (term_is_false(check->terms, violations[i])) continue;
    Term conjuncts[2] = {label, violations[i]};
    if (solver_check(check->solver, conjuncts, 2) == SOLVER_SAT) return false;
  }
  map_put(&check->commuting, key, 1);
  return true;
}

// --- the definitions ---

static const Location *location_of(const ReductionCheck *check, LocationId at) {
  return &explorer_program(check->explorer)->locations.data[at];
}

static EdgeId edge_at(const ReductionCheck *check, LocationId at, uint32_t i) {
  return location_out_edge(explorer_program(check->explorer), location_of(check, at), i);
}

// The threads that are held while the threads of `set` take no step; of all threads: those that are held.
static ThreadMask held_by(const ReductionCheck *check, ControlId control, ThreadMask set) {
  const Explorer *x = check->explorer;
  return begin_order_held_by(&explorer_reduction(x)->begins, control_locations(explorer_controls(x), control), set);
}

// Is every started thread that is not enabled really excluded by control? Each of its edges must be impossible on the
// path to the node.
static const char *check_enabled(ReductionCheck *check, NodeId node, ThreadMask enabled) {
  Explorer *x = check->explorer;
  ControlId control = tree_node(explorer_tree(x), node)->control;
  ThreadId holder = control_holder(explorer_controls(x), control);
  ThreadMask held = held_by(check, control, UINT64_MAX);
  bool *used = memory_allocate_zeroed(check->account, tree_node(explorer_tree(x), node)->depth + 1);
  const char *flaw = NULL;
  for (ThreadId t = 0; t < explorer_controls(x)->thread_count && !flaw; t++) {
    LocationId at = control_at(explorer_controls(x), control, t);
    if (at == NO_ID || (enabled | held) >> t & 1 || (holder != NO_ID && holder != t)) continue;
    for (uint32_t i = 0; i < location_of(check, at)->out_count && !flaw; i++) {
      Term guard = transition_of(check, edge_at(check, at, i))->guard;
      if (path_check(&check->feasibility, node, guard, used) == PATH_FEASIBLE)
        flaw = "internal error: the reduction takes a thread that can move for one that cannot";
    }
  }
  memory_free(check->account, used, tree_node(explorer_tree(x), node)->depth + 1);
  return flaw;
}

static bool commutes_with_others(ReductionCheck *check, EdgeId edge, ThreadId thread) {
  const Program *p = explorer_program(check->explorer);
  for (EdgeId other = 0; other < p->edges.count; other++) {
    if (p->locations.data[p->edges.data[other].from].thread == thread) continue;
    if (!commute(check, term_true(check->terms), edge, other)) return false;
  }
  return true;
}

static const char *check_local(ReductionCheck *check, LocationId at, ThreadId thread) {
  const Program *p = explorer_program(check->explorer);
  if (map_contains(&check->local, at)) return NULL;
  Term possible = term_false(check->terms);
  for (uint32_t i = 0; i < location_of(check, at)->out_count; i++) {
    EdgeId edge = edge_at(check, at, i);
    const Transition *transition = transition_of(check, edge);
    if (p->edges.data[edge].back) return "internal error: the reduction follows a loop alone";
    if (transition->birth_count > 0 || p->locations.data[p->edges.data[edge].to].atomic)
      return "internal error: the reduction follows an edge alone that is not local";
    if (!commutes_with_others(check, edge, thread))
      return "internal error: the reduction follows an edge alone that another thread's does not commute with";
    possible = term_or(check->terms, possible, transition->guard);
  }
  Term stuck = term_not(check->terms, possible);
  if (solver_check(check->solver, &stuck, 1) == SOLVER_SAT)
    return "internal error: the reduction follows a thread alone that may be stuck";
  map_put(&check->local, at, 1);
  return NULL;
}

static const char *check_left_out(ReductionCheck *check, NodeId node, ThreadId thread) {
  const Explorer *x = check->explorer;
  const TreeNode *here = tree_node(explorer_tree(x), node);
  if (here->parent == NO_ID) return "internal error: the reduction leaves a thread out at the root";
  const TreeNode *before = tree_node(explorer_tree(x), here->parent);
  const Edge *edge = &explorer_program(x)->edges.data[here->edge];
  LocationId at = control_at(explorer_controls(x), here->control, thread);
  if (held_by(check, before->control, UINT64_MAX) & thread_bit(thread))
    return "internal error: the reduction leaves a thread out that the step has enabled";
  if (thread >= explorer_program(x)->locations.data[edge->from].thread || edge->back ||
      control_at(explorer_controls(x), before->control, thread) != at ||
      control_holder(explorer_controls(x), before->control) != NO_ID)
    return "internal error: the reduction leaves a thread out that was not to be expanded before";
  Term label = explorer_formula(x, here->parent);
  for (uint32_t i = 0; i < location_of(check, at)->out_count; i++) {
    EdgeId other = edge_at(check, at, i);
    // The later steps of a section are not part of this edge.
    if (explorer_program(x)->locations.data[explorer_program(x)->edges.data[other].to].atomic)
      return "internal error: the reduction leaves out a thread that starts a section";
    if (!commute(check, label, here->edge, other))
      return "internal error: the reduction leaves out a thread whose edge does not commute";
  }
  return NULL;
}

// --- persistent sets ---

static bool is_impossible(const ReductionCheck *check, EdgeId edge) {
  return term_is_false(check->terms, transition_of(check, edge)->guard);
}

static ThreadMask started_at(const ReductionCheck *check, ControlId control) {
  const ControlTable *controls = explorer_controls(check->explorer);
  ThreadMask started = 0;
  for (ThreadId t = 0; t < controls->thread_count; t++)
    if (control_at(controls, control, t) != NO_ID) started |= (ThreadMask)1 << t;
  return started;
}

// Can the edge be taken only if the variable is 0?
static bool needs_zero(ReductionCheck *check, EdgeId edge, Term variable) {
  uint64_t key = (uint64_t)edge << 32 | variable, known;
  if (map_get(&check->needs, key, &known)) return known;
  Term guard = transition_of(check, edge)->guard;
  bool needs = false;
  if (term_mentions(check->terms, guard, variable)) {
    Term conjuncts[2] = {guard, term_is_nonzero(check->terms, variable)};
    needs = solver_check(check->solver, conjuncts, 2) == SOLVER_UNSAT;
  }
  map_put(&check->needs, key, needs);
  return needs;
}

// Can the edge not be taken while the chosen threads take no step?
static bool is_closed(ReductionCheck *check, EdgeId edge) {
  if (is_impossible(check, edge)) return true;
  if (transition_of(check, edge)->missed != TERM_NONE) return false;
  for (size_t i = 0; i < check->closed.count; i++)
    if (needs_zero(check, edge, check->closed.data[i])) return true;
  return false;
}

static void add_once(LocationId location, Bitset *seen, U32Vector *locations) {
  if (bitset_add(seen, location)) U32Vector_push(locations, location);
}

// Lists the locations that can be reached from `from`, and those of threads that are created on the way. Threads of
// `started_before` are not created again.
static void list_future(ReductionCheck *check, ThreadMask started_before, LocationId from, U32Vector *locations) {
  const Program *p = explorer_program(check->explorer);
  assert(from != NO_ID && locations->count == 0);
  Bitset seen;
  bitset_init(&seen, p->locations.count, check->account);
  add_once(from, &seen, locations);
  for (size_t i = 0; i < locations->count; i++) {
    LocationId at = locations->data[i];
    for (uint32_t k = 0; k < location_of(check, at)->out_count; k++) {
      EdgeId edge = edge_at(check, at, k), start;
      if (is_closed(check, edge)) continue;
      add_once(p->edges.data[edge].to, &seen, locations);
      ThreadMask started = transitions_births(explorer_transitions(check->explorer), edge) & ~started_before;
      for (; started != 0; started &= started - 1)
        add_once(thread_beginning(p, first_thread(started), &start), &seen, locations);
    }
  }
  bitset_free(&seen);
}

// Lists the locations of the next action at `from`: `from` itself and those inside the sections that it starts.
static void list_action(const ReductionCheck *check, LocationId from, U32Vector *locations) {
  const Program *p = explorer_program(check->explorer);
  U32Vector_push(locations, from);
  for (size_t i = 0; i < locations->count; i++)
    for (uint32_t k = 0; k < location_of(check, locations->data[i])->out_count; k++) {
      EdgeId edge = edge_at(check, locations->data[i], k);
      LocationId to = p->edges.data[edge].to;
      bool known = !p->locations.data[to].atomic || is_impossible(check, edge);
      for (size_t n = 0; n < locations->count && !known; n++) known = locations->data[n] == to;
      if (!known) U32Vector_push(locations, to);
    }
}

// Do all edges at `a` commute with all edges at `b` that can be taken? `b` is a location of a thread that was not
// chosen.
static bool locations_commute(ReductionCheck *check, LocationId a, LocationId b) {
  for (uint32_t i = 0; i < location_of(check, a)->out_count; i++)
    for (uint32_t k = 0; k < location_of(check, b)->out_count; k++)
      if (!is_closed(check, edge_at(check, b, k)) &&
          !commute(check, term_true(check->terms), edge_at(check, a, i), edge_at(check, b, k)))
        return false;
  return true;
}

static bool commutes_with_future(ReductionCheck *check, ThreadMask started, LocationId chosen, LocationId other) {
  const uint64_t parts[5] = {chosen, other, precision_stamp(check), started,
                             hash_bytes(check->closed.data, check->closed.count * sizeof(Term))};
  uint64_t key = hash_bytes(parts, sizeof parts);
  if (map_contains(&check->futures, key)) return true;
  U32Vector action, future;
  U32Vector_init(&action, check->account);
  U32Vector_init(&future, check->account);
  list_action(check, chosen, &action);
  list_future(check, started, other, &future);
  bool commuting = true;
  for (size_t i = 0; i < action.count && commuting; i++)
    for (size_t k = 0; k < future.count && commuting; k++)
      commuting = locations_commute(check, action.data[i], future.data[k]);
  if (commuting) map_put(&check->futures, key, 1);
  U32Vector_free(&future);
  U32Vector_free(&action);
  return commuting;
}

// Can an edge that follows `from` change a variable in the guards of a thread at the location `blocked`?
static bool may_unblock(ReductionCheck *check, ThreadMask started, LocationId from, LocationId blocked) {
  U32Vector future;
  U32Vector_init(&future, check->account);
  list_future(check, started, from, &future);
  bool releases = false;
  for (size_t i = 0; i < future.count && !releases; i++)
    for (uint32_t k = 0; k < location_of(check, future.data[i])->out_count; k++) {
      if (is_closed(check, edge_at(check, future.data[i], k))) continue;
      const Transition *transition = transition_of(check, edge_at(check, future.data[i], k));
      for (uint32_t u = 0; u < transition->update_count; u++)
        for (uint32_t g = 0; g < location_of(check, blocked)->out_count; g++) {
          Term guard = transition_of(check, edge_at(check, blocked, g))->guard;
          releases |= term_mentions(check->terms, guard, updates_of(check, transition)[u].variable);
        }
    }
  U32Vector_free(&future);
  return releases;
}

// The threads that may ever take a step while the chosen threads take none.
static ThreadMask movable_without(ReductionCheck *check, ControlId control, ThreadMask enabled, ThreadMask chosen) {
  const ControlTable *controls = explorer_controls(check->explorer);
  ThreadMask movable = enabled & ~chosen, started = started_at(check, control);
  movable |= held_by(check, control, movable);
  ThreadMask still = held_by(check, control, chosen);
  for (bool grown = true; grown;) {
    grown = false;
    for (ThreadId blocked = 0; blocked < controls->thread_count; blocked++) {
      LocationId at = control_at(controls, control, blocked);
      if (at == NO_ID || (enabled | movable | still) >> blocked & 1) continue;
      for (ThreadId t = 0; t < controls->thread_count; t++) {
        if (!(movable >> t & 1) || !may_unblock(check, started, control_at(controls, control, t), at)) continue;
        movable |= (ThreadMask)1 << blocked;
        movable |= held_by(check, control, movable) & ~chosen;
        grown = true;
        break;
      }
    }
  }
  return movable;
}

// --- closed cells ---

typedef struct CellAtNode {
  ReductionCheck *check;
  NodeId node;
} CellAtNode;

// Adds the cell to the closed cells if it is not 0 on the path to the node.
static void close_cell(void *context, Term variable) {
  const CellAtNode *at = context;
  ReductionCheck *check = at->check;
  const Explorer *x = check->explorer;
  uint32_t index = term_variable_index(check->terms, variable);
  bool cell = index < explorer_program(x)->cell_of.count && explorer_program(x)->cell_of.data[index] != NO_ID;
  if (!cell || is_unknown(check, variable)) return;
  for (size_t i = 0; i < check->closed.count; i++)
    if (check->closed.data[i] == variable) return;
  size_t bytes = tree_node(explorer_tree(x), at->node)->depth + 1;
  bool *used = memory_allocate_zeroed(check->account, bytes);
  Term zero = term_not(check->terms, term_is_nonzero(check->terms, variable));
  if (path_check(&check->feasibility, at->node, zero, used) == PATH_INFEASIBLE)
    TermVector_push(&check->closed, variable);
  memory_free(check->account, used, bytes);
}

// Removes the closed cells that an edge after `from` writes. True: there were some.
static bool open_written(ReductionCheck *check, ThreadMask started, LocationId from) {
  size_t before = check->closed.count;
  U32Vector future;
  U32Vector_init(&future, check->account);
  list_future(check, started, from, &future);
  for (size_t i = 0; i < future.count; i++)
    for (uint32_t k = 0; k < location_of(check, future.data[i])->out_count; k++) {
      EdgeId edge = edge_at(check, future.data[i], k);
      if (is_closed(check, edge)) continue;
      const Transition *transition = transition_of(check, edge);
      for (uint32_t u = 0; u < transition->update_count; u++)
        for (size_t c = check->closed.count; c-- > 0;)
          if (check->closed.data[c] == updates_of(check, transition)[u].variable)
            check->closed.data[c] = TermVector_pop(&check->closed);
    }
  U32Vector_free(&future);
  return check->closed.count < before;
}

// Finds the closed cells: the cells in guards of waiting edges that are not 0 on the path to the node and that no
// thread outside `chosen` ever writes.
static void find_closed(ReductionCheck *check, NodeId node, ThreadMask chosen) {
  const Explorer *x = check->explorer;
  ControlId control = tree_node(explorer_tree(x), node)->control;
  ThreadMask started = started_at(check, control);
  TermVector_clear(&check->closed);
  CellAtNode at = {.check = check, .node = node};
  ThreadMask moving = started & ~chosen & ~held_by(check, control, chosen);
  for (EdgeId e = 0; e < explorer_program(x)->edges.count; e++)
    if (transition_of(check, e)->waits)
      term_each_variable(check->terms, transition_of(check, e)->guard, close_cell, &at);
  for (bool fewer = true; fewer;) {
    fewer = false;
    for (ThreadId t = 0; t < explorer_controls(x)->thread_count; t++)
      if (moving & (ThreadMask)1 << t)
        fewer |= open_written(check, started, control_at(explorer_controls(x), control, t));
  }
}

// Does a thread at this location go on (persistent_threads.h)?
static bool goes_on(ReductionCheck *check, LocationId at) {
  const Program *p = explorer_program(check->explorer);
  Term possible = term_false(check->terms);
  for (uint32_t i = 0; i < location_of(check, at)->out_count; i++) {
    EdgeId edge = edge_at(check, at, i);
    const Transition *transition = transition_of(check, edge);
    bool ends = transition->end == ENDS_THE_PROCESS || transition->end == ENDS_IN_CUT;
    bool stops = ends || p->edges.data[edge].back || p->locations.data[p->edges.data[edge].to].atomic;
    if (stops && !is_impossible(check, edge)) return false;
    possible = term_or(check->terms, possible, transition->guard);
  }
  Term stuck = term_not(check->terms, possible);
  return solver_check(check->solver, &stuck, 1) == SOLVER_UNSAT;
}

static const char *check_persistent(ReductionCheck *check, NodeId node, ThreadMask enabled, ThreadMask chosen) {
  ControlId control = tree_node(explorer_tree(check->explorer), node)->control;
  find_closed(check, node, chosen);
  const ControlTable *controls = explorer_controls(check->explorer);
  ThreadMask movable = movable_without(check, control, enabled, chosen), started = started_at(check, control);
  bool some_goes_on = false;
  for (ThreadId t = 0; t < controls->thread_count; t++) {
    if (!(chosen >> t & 1)) continue;
    LocationId at = control_at(controls, control, t);
    some_goes_on = some_goes_on || goes_on(check, at);
    for (ThreadId other = 0; other < controls->thread_count; other++)
      if (movable >> other & 1 && !commutes_with_future(check, started, at, control_at(controls, control, other)))
        return "internal error: the reduction leaves out a thread that may do what does not commute";
  }
  return some_goes_on ? NULL : "internal error: the reduction leaves threads out, and what it follows may be stuck";
}

const char *reduction_check_choice(ReductionCheck *check, NodeId node, ThreadMask chosen) {
  Explorer *x = check->explorer;
  ControlId control = tree_node(explorer_tree(x), node)->control;
  ThreadMask enabled = reduction_enabled(explorer_reduction(x), control);
  check->choices++;
  const char *flaw = check_enabled(check, node, enabled);
  if (flaw || chosen == enabled) return flaw;
  if (chosen & ~enabled) return "internal error: the reduction chooses a thread that cannot move";
  ReductionClaim claim = explorer_reduction(x)->kind->claim;
  if (claim == CLAIMS_ALL) return "internal error: a thread is left out without a reduction";
  if (claim == CLAIMS_PERSISTENT) return check_persistent(check, node, enabled, chosen);
  for (ThreadId t = 0; t < explorer_controls(x)->thread_count && !flaw; t++) {
    if (claim == CLAIMS_LOCAL) {
      if (chosen >> t & 1) flaw = check_local(check, control_at(explorer_controls(x), control, t), t);
    } else if (enabled >> t & 1 && !(chosen >> t & 1)) {
      flaw = check_left_out(check, node, t);
    }
  }
  return flaw;
}
