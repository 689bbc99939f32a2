#include "circuit/model/circuit.h"

#include "circuit/model/circuit_build.h"
#include "circuit/model/scheduler.h"
#include "program/passes/rewrite.h"
#include "program/settled.h"
#include "solver/solver.h"

// --- latches and inputs ---

uint32_t circuit_add_latch(Circuit *c, LatchKind kind, uint32_t of, uint32_t place) {
  assert(kind == LATCH_COUNTER || place == 0);
  CircuitLatch latch = {.now = aig_input(&c->aig), .kind = kind, .of = of, .place = place};
  latch.next = latch.now;
  CircuitLatchVector_push(&c->latches, latch);
  return (uint32_t)c->latches.count - 1;
}

AigLiteral circuit_add_input(Circuit *c, InputKind kind, uint32_t of) {
  AigLiteral literal = aig_input(&c->aig);
  CircuitInputVector_push(&c->inputs, (CircuitInput){.literal = literal, .kind = kind, .of = of});
  return literal;
}

// The i-th of the inputs that edges share; adds inputs until there are that many.
static AigLiteral circuit_shared_input(Circuit *c, U32Vector *shared, InputKind kind, uint32_t i) {
  while (shared->count <= i) U32Vector_push(shared, circuit_add_input(c, kind, (uint32_t)shared->count));
  return shared->data[i];
}

// The value of the latch `started`, which is added at the first call. Before the first step, bits without an initial
// value are inputs.
static AigLiteral has_started(Circuit *c) {
  if (c->started == AIG_TRUE) {
    uint32_t latch = circuit_add_latch(c, LATCH_STARTED, 0, 0);
    c->latches.data[latch].next = AIG_TRUE;
    c->started = c->latches.data[latch].now;
  }
  return c->started;
}

static void add_bit(Circuit *c, uint32_t id, const Word *word) {
  assert(id >= word->first_bit && id - word->first_bit < word->width);
  const WordBit *bit = &c->words->bits.data[id];
  if (bit->known != BIT_OPEN) {
    c->value_of_bit.data[id] = aig_constant(bit->known == BIT_ONE);
    return;
  }
  uint32_t latch = circuit_add_latch(c, LATCH_BIT, id, 0);
  AigLiteral now = c->latches.data[latch].now;
  c->latch_of_bit.data[id] = latch;
  Term initial = transitions_initial(c->transitions, word->variable);
  if (initial == TERM_NONE || !term_is_constant(c->words->terms, initial)) {
    AigLiteral started = has_started(c);
    c->value_of_bit.data[id] = aig_ite(&c->aig, started, now, circuit_add_input(c, INPUT_INITIAL, id));
    return;
  }
  uint32_t place = id - word->first_bit;
  c->value_of_bit.data[id] = aig_not_if(now, term_constant_value(c->words->terms, initial) >> place & 1);
}

// Says what an input of the words' graph is in the circuit: a latch, a known bit or a fresh value.
static void connect_bit(Circuit *c, uint32_t word, uint32_t place, AigLiteral literal) {
  const AigLiteral *inputs = bitblast_find(&c->words->blaster, c->words->words.data[word].variable);
  assert(inputs && place < c->words->words.data[word].width);
  aig_copy_put(&c->from_words, inputs[place], literal);
}

static void add_words(Circuit *c) {
  const Words *w = c->words;
  U32Vector_resize(&c->value_of_bit, w->bits.count);
  for (size_t i = 0; i < w->bits.count; i++) U32Vector_push(&c->latch_of_bit, NO_ID);
  for (uint32_t i = 0; i < w->words.count; i++) {
    const Word *word = &w->words.data[i];
    for (uint32_t k = 0; k < word->width && !word->fresh; k++) {
      add_bit(c, word->first_bit + k, word);
      connect_bit(c, i, k, c->value_of_bit.data[word->first_bit + k]);
    }
  }
}

// Bits of the fresh values of an edge are the first of the shared inputs, in order.
void circuit_connect_fresh(Circuit *c, EdgeId e) {
  const Transition *transition = &c->transitions->edges.data[e];
  uint32_t next = 0;
  for (uint32_t i = 0; i < transition->fresh_count; i++) {
    uint32_t word = words_find(c->words, c->transitions->fresh.data[transition->first_fresh + i]);
    if (word == NO_ID) continue;
    for (uint32_t k = 0; k < c->words->words.data[word].width; k++)
      connect_bit(c, word, k, circuit_shared_input(c, &c->fresh, INPUT_FRESH, next++));
  }
}

// --- threads ---

static bool has_way_out(const Circuit *c, LocationId location) {
  const Program *p = c->transitions->program;
  for (uint32_t i = 0; i < p->locations.data[location].out_count; i++) {
    EdgeId e = location_out_edge(p, &p->locations.data[location], i);
    if (c->words->edges.data[e] & EDGE_TAKEN || c->transitions->edges.data[e].missed != TERM_NONE) return true;
  }
  return false;
}

static void add_place(Circuit *c, CircuitThread *thread, LocationId location) {
  c->place_of.data[location] = (uint32_t)thread->locations.count;
  U32Vector_push(&thread->locations, location);
}

static void find_places(Circuit *c, ThreadId id, const U32Vector *order) {
  const Program *p = c->transitions->program;
  CircuitThread *thread = &c->threads.data[id];
  EdgeId start = NO_ID;
  LocationId beginning = id == 0 ? p->threads.data[id].entry : thread_beginning(p, id, &start), end = NO_ID;
  if (id > 0) U32Vector_push(&thread->locations, NO_ID);
  add_place(c, thread, beginning);
  for (size_t i = 0; i < order->count; i++) {
    LocationId location = order->data[i];
    bool own = p->locations.data[location].thread == id && location != beginning;
    if (!own || (start != NO_ID && location == p->threads.data[id].entry)) continue;
    bool ends = !p->locations.data[location].atomic && !has_way_out(c, location);
    // A thread that is disabled for ever at a location that is not final has not reached its end.
    if ((c->words->infinite || p->joints.count > 0) && !p->locations.data[location].final) ends = false;
    if (ends && end != NO_ID) {
      c->place_of.data[location] = c->place_of.data[end];
      continue;
    }
    add_place(c, thread, location);
    if (ends) end = location;
  }
}

static void add_counter(Circuit *c, ThreadId id) {
  CircuitThread *thread = &c->threads.data[id];
  assert(thread->locations.count > 0);
  thread->first_latch = (uint32_t)c->latches.count;
  for (size_t codes = 1; codes < thread->locations.count; codes *= 2)
    circuit_add_latch(c, LATCH_COUNTER, id, thread->latch_count++);
  for (uint32_t place = 0; place < thread->locations.count; place++) {
    AigLiteral bits[32];
    for (uint32_t k = 0; k < thread->latch_count; k++)
      bits[k] = aig_not_if(c->latches.data[thread->first_latch + k].now, !(place >> k & 1));
    U32Vector_push(&thread->at, aig_and_all(&c->aig, bits, thread->latch_count));
  }
}

static void find_sections(Circuit *c) {
  const Program *p = c->transitions->program;
  U32Vector inside;
  U32Vector_init(&inside, c->account);
  for (size_t t = 0; t < c->threads.count; t++) {
    CircuitThread *thread = &c->threads.data[t];
    U32Vector_clear(&inside);
    for (size_t i = 0; i < thread->locations.count; i++)
      if (thread->locations.data[i] != NO_ID && p->locations.data[thread->locations.data[i]].atomic)
        U32Vector_push(&inside, thread->at.data[i]);
    thread->inside = aig_or_all(&c->aig, inside.data, inside.count);
  }
  for (size_t t = 0; t < c->threads.count; t++) {
    U32Vector_clear(&inside);
    for (size_t other = 0; other < c->threads.count; other++)
      if (other != t) U32Vector_push(&inside, c->threads.data[other].inside);
    if (c->ended != NO_ID) U32Vector_push(&inside, c->latches.data[c->ended].now);
    c->threads.data[t].allowed = aig_not(aig_or_all(&c->aig, inside.data, inside.count));
  }
  U32Vector_free(&inside);
}

static void add_threads(Circuit *c) {
  const Program *p = c->transitions->program;
  U32Vector order;
  U32Vector_init(&order, c->account);
  program_reverse_postorder(p, &order, NULL);
  for (LocationId l = 0; l < p->locations.count; l++) U32Vector_push(&c->place_of, NO_ID);
  for (ThreadId t = 0; t < p->threads.count; t++) {
    CircuitThread *thread = CircuitThreadVector_push(&c->threads, (CircuitThread){0});
    U32Vector_init(&thread->locations, c->account);
    U32Vector_init(&thread->at, c->account);
    find_places(c, t, &order);
    add_counter(c, t);
  }
  U32Vector_free(&order);
  if (c->words->infinite) c->ended = circuit_add_latch(c, LATCH_ENDED, 0, 0);
  find_sections(c);
}

// --- edges ---

// Does the condition mention a fresh variable of the edge?
static bool mentions_fresh(const Circuit *c, EdgeId e, Term condition) {
  const Transition *transition = &c->transitions->edges.data[e];
  for (uint32_t i = 0; i < transition->fresh_count; i++)
    if (term_mentions(c->words->terms, condition, c->transitions->fresh.data[transition->first_fresh + i])) return true;
  return false;
}

typedef struct OnlyFresh {
  const Transitions *transitions;
  bool all;
} OnlyFresh;

static void look_for_state(void *context, Term variable) {
  OnlyFresh *only = context;
  only->all &= term_variable_index(only->transitions->program->terms, variable) >= only->transitions->state_limit;
}

// The thread is at the location, it is allowed to move, and the condition holds.
static AigLiteral is_there_and_allowed(Circuit *c, LocationId location, AigLiteral condition) {
  ThreadId thread = c->transitions->program->locations.data[location].thread;
  AigLiteral here = aig_and(&c->aig, circuit_at(c, location), condition);
  return aig_and(&c->aig, here, c->threads.data[thread].allowed);
}

static void add_goal(Circuit *c, CircuitEdgeVector *goals, EdgeId e, GoalKind kind, Term condition) {
  LocationId from = c->transitions->program->edges.data[e].from;
  CircuitEdge edge = {.edge = e, .thread = c->transitions->program->locations.data[from].thread, .goal = kind};
  edge.guard = circuit_literal(c, bitblast_bool(&c->words->blaster, condition));
  edge.possible = is_there_and_allowed(c, from, edge.guard);
  if (edge.possible != AIG_FALSE) CircuitEdgeVector_push(goals, edge);
}

// Adds the goals of an edge. Returns whether steps can take the edge.
static bool add_goals(Circuit *c, EdgeId e) {
  const Transition *transition = &c->transitions->edges.data[e];
  uint8_t flags = c->words->edges.data[e];
  if (flags & EDGE_UNSUPPORTED) {
    bool known = words_supports(c->words, transition->guard) && transition->missed == TERM_NONE;
    add_goal(c, &c->cuts, e, GOAL_UNSUPPORTED, known ? transition->guard : term_true(c->words->terms));
    return false;
  }
  if (transition->missed != TERM_NONE) add_goal(c, &c->cuts, e, GOAL_MISSED, transition->missed);
  bool fails = flags & EDGE_TAKEN && transition->end == ENDS_IN_ERROR && !c->words->infinite;
  if (fails) add_goal(c, &c->errors, e, GOAL_END, transition->guard);
  if (flags & EDGE_TAKEN && transition->end == ENDS_IN_CUT) add_goal(c, &c->cuts, e, GOAL_END, transition->guard);
  return circuit_takes(c, e);
}

// May two edges of one location be possible in the same state?
static bool may_overlap(Circuit *c, Solver *solver, const CircuitEdge *a, const CircuitEdge *b) {
  if (aig_and(&c->aig, a->guard, b->guard) == AIG_FALSE) return false;
  Term both[2] = {c->transitions->edges.data[a->edge].guard, c->transitions->edges.data[b->edge].guard};
  return solver_check(solver, both, 2) != SOLVER_UNSAT;
}

// The inputs for choices select this one of `count` edges.
static AigLiteral choice_is(Circuit *c, uint32_t number, uint32_t count) {
  assert(number < count);
  AigLiteral is = AIG_TRUE;
  for (uint32_t k = 0; (1u << k) < count; k++) {
    AigLiteral input = circuit_shared_input(c, &c->choice, INPUT_CHOICE, k);
    is = aig_and(&c->aig, is, aig_not_if(input, !(number >> k & 1)));
  }
  return is;
}

// Splits a condition into a condition on the state and one on the edge's fresh values, and adds these to `state` and
// `fresh`. False: some conjunct mentions both.
static bool split_condition(const Circuit *c, EdgeId e, Term condition, Term *state, Term *fresh) {
  TermStore *terms = c->words->terms;
  if (term_operator(terms, condition) == TERM_AND)
    return split_condition(c, e, term_child(terms, condition, 0), state, fresh) &&
           split_condition(c, e, term_child(terms, condition, 1), state, fresh);
  if (!mentions_fresh(c, e, condition)) {
    *state = term_and(terms, *state, condition);
    return true;
  }
  OnlyFresh only = {.transitions = c->transitions, .all = true};
  term_each_variable(terms, condition, look_for_state, &only);
  *fresh = term_and(terms, *fresh, condition);
  return only.all;
}

// Does the edge enter an atomic section of several steps, in a circuit of infinite executions?
static bool enters_section(const Circuit *c, EdgeId e) {
  const Program *p = c->transitions->program;
  bool ends = c->transitions->edges.data[e].end != ENDS_NOT; // the process, and with it the section
  return c->words->infinite && !ends && p->locations.data[p->edges.data[e].to].atomic;
}

// Can the thread take an edge here in every state? Pushes the targets of its edges, and notes if one goes back.
static bool always_goes_on(Circuit *c, Solver *solver, LocationId location, U32Vector *targets, bool *loops) {
  const Program *p = c->transitions->program;
  Term some_guard = term_false(p->terms);
  for (uint32_t i = 0; i < p->locations.data[location].out_count; i++) {
    EdgeId e = location_out_edge(p, &p->locations.data[location], i);
    const Transition *transition = &c->transitions->edges.data[e];
    if (c->words->edges.data[e] & EDGE_UNSUPPORTED || transition->missed != TERM_NONE) return false;
    *loops |= p->edges.data[e].back;
    if (!circuit_takes(c, e)) continue;
    some_guard = term_or(p->terms, some_guard, transition->guard);
    U32Vector_push(targets, p->edges.data[e].to);
  }
  Term stops = term_not(p->terms, some_guard);
  return solver_check(solver, &stops, 1) == SOLVER_UNSAT;
}

// From this location to the end of the section, can the thread always take an edge? Then no step of it blocks or
// disables the thread. `loops`: the section has a loop.
static bool is_open_section(Circuit *c, Solver *solver, LocationId entry, bool *loops) {
  const Program *p = c->transitions->program;
  U32Vector seen; // a work list: locations before `next` are done
  U32Vector_init(&seen, c->account);
  U32Vector_push(&seen, entry);
  bool open = true;
  for (size_t next = 0; next < seen.count && open; next++) {
    bool again = false;
    for (size_t i = 0; i < next && !again; i++) again = seen.data[i] == seen.data[next];
    if (!again && p->locations.data[seen.data[next]].atomic)
      open = always_goes_on(c, solver, seen.data[next], &seen, loops);
  }
  U32Vector_free(&seen);
  return open;
}

// A condition on the state alone under which the edge can be taken with some inputs: an under-approximation. If the
// edge enters a section, the condition does not say that the section can be finished.
static AigLiteral must_be_possible(Circuit *c, Solver *solver, const CircuitEdge *edge) {
  const Program *p = c->transitions->program;
  if (!edge->depends_on_fresh) return edge->guard;
  Term state = term_true(p->terms), fresh = term_true(p->terms);
  bool apart = split_condition(c, edge->edge, c->transitions->edges.data[edge->edge].guard, &state, &fresh);
  if (!apart || solver_check(solver, &fresh, 1) != SOLVER_SAT) return AIG_FALSE;
  return circuit_literal(c, bitblast_bool(&c->words->blaster, state));
}

// What is known of enabledness at one location; the members are those of CircuitThread.
typedef struct Enabledness {
  AigLiteral enabled, must, must_through_section, must_into_section, may;
} Enabledness;

static void join_enabledness(Circuit *c, LocationId location, const Enabledness *here) {
  CircuitThread *thread = &c->threads.data[c->transitions->program->locations.data[location].thread];
  AigLiteral *const joined[] = {&thread->must_be_enabled, &thread->must_be_enabled_through_section,
                                &thread->must_be_enabled_into_section, &thread->may_be_enabled};
  const AigLiteral added[] = {here->must, here->must_through_section, here->must_into_section, here->may};
  thread->enabled = aig_or(&c->aig, thread->enabled, here->enabled); // says already where the thread is
  for (size_t i = 0; i < sizeof joined / sizeof *joined; i++)
    *joined[i] = aig_or(&c->aig, *joined[i], is_there_and_allowed(c, location, added[i]));
}

// Adds the enabledness of a thread at a location, whose edges are those from `first` on.
static void find_enabledness(Circuit *c, Solver *solver, LocationId location, size_t first) {
  const Program *p = c->transitions->program;
  Enabledness here = {AIG_FALSE, AIG_FALSE, AIG_FALSE, AIG_FALSE, AIG_FALSE};
  Term some_guard = term_false(p->terms);
  AigLiteral guards = AIG_FALSE; // edges share the inputs for their fresh values
  // Does some edge enter a section, one with a loop, one in which a step can block or disable the thread?
  bool enters = false, enters_looping = false, enters_closed = false;
  for (size_t i = first; i < c->edges.count; i++) {
    const CircuitEdge *edge = &c->edges.data[i];
    // A section is entered only if it can be finished, which is not known here.
    bool section = enters_section(c, edge->edge), loops = false;
    bool open = !section || is_open_section(c, solver, p->edges.data[edge->edge].to, &loops);
    guards = aig_or(&c->aig, guards, edge->guard);
    enters |= section;
    enters_looping |= loops;
    enters_closed |= !open;
    Term guard = c->transitions->edges.data[edge->edge].guard;
    here.enabled = aig_or(&c->aig, here.enabled, edge->possible);
    some_guard = term_or(p->terms, some_guard, guard);
    AigLiteral possible = open ? must_be_possible(c, solver, edge) : AIG_FALSE;
    here.must_into_section = aig_or(&c->aig, here.must_into_section, possible);
    if (!loops) here.must_through_section = aig_or(&c->aig, here.must_through_section, possible);
    if (!section) here.must = aig_or(&c->aig, here.must, possible);
    here.may = aig_or(&c->aig, here.may, edge->depends_on_fresh ? circuit_condition(c, guard) : edge->guard);
  }
  if (guards == AIG_TRUE || term_is_true(p->terms, some_guard)) {
    if (!enters) here.must = AIG_TRUE;
    if (!enters_closed && !enters_looping) here.must_through_section = AIG_TRUE;
    if (!enters_closed) here.must_into_section = AIG_TRUE;
  }
  join_enabledness(c, location, &here);
}

static void add_edges_of(Circuit *c, Solver *solver, LocationId location) {
  const Program *p = c->transitions->program;
  size_t first = c->edges.count;
  for (uint32_t i = 0; i < p->locations.data[location].out_count; i++) {
    EdgeId e = location_out_edge(p, &p->locations.data[location], i);
    const Transition *transition = &c->transitions->edges.data[e];
    circuit_connect_fresh(c, e);
    if (!add_goals(c, e)) continue;
    CircuitEdge edge = {.edge = e, .thread = p->locations.data[location].thread};
    edge.ends_process = transition->end != ENDS_NOT;
    edge.depends_on_fresh = mentions_fresh(c, e, transition->guard);
    edge.guard = circuit_literal(c, bitblast_bool(&c->words->blaster, transition->guard));
    if (edge.guard != AIG_FALSE) CircuitEdgeVector_push(&c->edges, edge);
  }
  uint32_t count = (uint32_t)(c->edges.count - first);
  bool choose = false;
  for (size_t i = first; i < c->edges.count; i++)
    for (size_t k = i + 1; k < c->edges.count && !choose; k++)
      choose = may_overlap(c, solver, &c->edges.data[i], &c->edges.data[k]);
  for (size_t i = first; i < c->edges.count; i++) {
    c->edges.data[i].chosen = choose ? choice_is(c, (uint32_t)(i - first), count) : AIG_TRUE;
    AigLiteral condition = aig_and(&c->aig, c->edges.data[i].guard, c->edges.data[i].chosen);
    c->edges.data[i].possible = is_there_and_allowed(c, location, condition);
  }
  find_enabledness(c, solver, location, first);
}

static AigLiteral any_possible(Circuit *c, const CircuitEdgeVector *goals) {
  AigLiteral any = AIG_FALSE;
  for (size_t i = 0; i < goals->count; i++) any = aig_or(&c->aig, any, goals->data[i].possible);
  return any;
}

// Do other threads observe the steps of an error's edge, without the error?
static bool is_observed(const Transitions *t, EdgeId e) {
  const Program *p = t->program;
  const Transition *transition = &t->edges.data[e];
  bool in_section = p->locations.data[p->edges.data[e].from].atomic;
  return !program_joint(p, e) && (transition->writes.count > 0 || transition->birth_count > 0 || in_section);
}

// Cuts that stand for races of settled pairs.
static void settle_cuts(Circuit *c, const Program *whole) {
  const Program *view = c->transitions->program;
  size_t left = 0;
  for (size_t i = 0; i < c->cuts.count; i++) {
    EdgeId edge = c->cuts.data[i].edge;
    if (!program_joint(view, edge) || !goal_is_settled(view, whole, edge)) c->cuts.data[left++] = c->cuts.data[i];
  }
  c->cuts.count = left;
  c->cut = any_possible(c, &c->cuts);
}

bool circuit_settle(Circuit *c, const Program *whole, size_t first) {
  const Program *view = c->transitions->program;
  if (c->begins.held_first != 0) return false; // settled findings may tell threads apart
  for (size_t i = first; i < view->settled.count; i++)
    if (settled_is_passed(view->settled.data[i])) return false;
  size_t left = 0;
  for (size_t i = 0; i < c->errors.count; i++) {
    CircuitEdge error = c->errors.data[i];
    EdgeId then = c->transitions->edges.data[error.edge].then;
    if (goal_is_settled(view, whole, then != NO_ID ? then : error.edge)) {
      if (is_observed(c->transitions, error.edge)) return false;
      continue;
    }
    const JointEdge *joint = program_joint(view, error.edge);
    bool race = joint && joint->kind == JOINT_RACE;
    if (race && race_settlement(whole, joint->raced[0], joint->raced[1], first) != RACE_OPEN) return false;
    if (joint && !race) error.possible = aig_and(&c->aig, error.possible, circuit_no_settled_deadlock(c, first));
    if (error.possible != AIG_FALSE) c->errors.data[left++] = error;
  }
  c->errors.count = left;
  c->error = any_possible(c, &c->errors);
  settle_cuts(c, whole);
  return true;
}

static const char *add_edges(Circuit *c, Budget *budget) {
  const Program *p = c->transitions->program;
  Solver *solver = solver_new(SOLVER_CADICAL, p->terms, c->account, budget);
  const char *flaw = NULL;
  for (LocationId l = 0; l < p->locations.count && !flaw; l++) {
    // The places of locations without a way out are shared, and they have no edges.
    if (c->place_of.data[l] != NO_ID) add_edges_of(c, solver, l);
    if (budget_exhausted(budget, "circuit-edges")) flaw = stop_reason_text(budget->reason);
  }
  if (!flaw) circuit_add_joint_goals(c);
  c->error = any_possible(c, &c->errors);
  c->cut = any_possible(c, &c->cuts);
  solver_free(solver);
  return flaw;
}

// --- which thread runs ---

// Threads that are held are not enabled.
static void hold_threads(Circuit *c) {
  for (ThreadId t = 0; t < c->threads.count; t++) {
    CircuitThread *thread = &c->threads.data[t];
    ThreadId previous = c->begins.previous[t];
    thread->held = AIG_FALSE;
    if (previous == NO_ID) continue;
    AigLiteral waits = circuit_at(c, c->begins.beginning[previous]); // it is started, as it is created before
    thread->held = aig_and(&c->aig, circuit_at(c, c->begins.beginning[t]), waits);
    AigLiteral *const all[] = {&thread->enabled, &thread->may_be_enabled, &thread->must_be_enabled,
                               &thread->must_be_enabled_through_section, &thread->must_be_enabled_into_section};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i] = aig_and(&c->aig, *all[i], aig_not(thread->held));
  }
}

static AigLiteral selected(Circuit *c, uint32_t thread) {
  assert(thread < c->threads.count);
  AigLiteral is = AIG_TRUE;
  for (uint32_t k = 0; (1u << k) < c->threads.count; k++) {
    AigLiteral input = circuit_shared_input(c, &c->select, INPUT_SELECT, k);
    is = aig_and(&c->aig, is, aig_not_if(input, !(thread >> k & 1)));
  }
  return is;
}

static void add_execution(Circuit *c) {
  c->moves = AIG_FALSE;
  for (uint32_t t = 0; t < c->threads.count; t++) {
    CircuitThread *thread = &c->threads.data[t];
    thread->execute = aig_and(&c->aig, selected(c, t), aig_and(&c->aig, thread->enabled, thread->stubborn));
    c->moves = aig_or(&c->aig, c->moves, thread->execute);
  }
  for (size_t i = 0; i < c->edges.count; i++) {
    CircuitEdge *edge = &c->edges.data[i];
    edge->taken = aig_and(&c->aig, edge->possible, c->threads.data[edge->thread].execute);
  }
}

// --- all ---

typedef struct OnlyWords {
  const Words *words;
  bool all;
} OnlyWords;

static void look_for_word(void *context, Term variable) {
  OnlyWords *only = context;
  uint32_t word = words_find(only->words, variable);
  only->all &= word != NO_ID && !only->words->words.data[word].fresh;
}

AigLiteral circuit_condition(Circuit *c, Term condition) {
  OnlyWords only = {.words = c->words, .all = words_supports(c->words, condition)};
  TermStore *terms = c->words->terms;
  term_each_variable(terms, condition, look_for_word, &only);
  if (!only.all && term_operator(terms, condition) == TERM_AND)
    return aig_and(&c->aig, circuit_condition(c, term_child(terms, condition, 0)),
                   circuit_condition(c, term_child(terms, condition, 1)));
  return only.all ? circuit_literal(c, bitblast_bool(&c->words->blaster, condition)) : AIG_TRUE;
}

const char *circuit_init(Circuit *c, Words *words, Scheduling scheduling, const BeginOrder *begins, Budget *budget,
                         Account *account) {
  *c = (Circuit){
      .words = words, .transitions = words->transitions, .started = AIG_TRUE, .ended = NO_ID, .account = account};
  c->begins = *begins;
  aig_init(&c->aig, account);
  aig_copy_init(&c->from_words, &words->aig, &c->aig, account);
  CircuitLatchVector_init(&c->latches, account);
  CircuitInputVector_init(&c->inputs, account);
  U32Vector *const vectors[] = {&c->fresh, &c->choice, &c->select, &c->latch_of_bit, &c->value_of_bit, &c->place_of};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_init(vectors[i], account);
  CircuitThreadVector_init(&c->threads, account);
  CircuitEdgeVector_init(&c->edges, account);
  CircuitEdgeVector_init(&c->errors, account);
  CircuitEdgeVector_init(&c->cuts, account);
  add_words(c);
  add_threads(c);
  const char *flaw = add_edges(c, budget);
  hold_threads(c);
  if (!flaw) flaw = scheduler_build(c, scheduling, budget);
  if (flaw) return flaw;
  add_execution(c);
  circuit_build_next(c);
  assert(c->latch_of_bit.count == words->bits.count && c->place_of.count == c->transitions->program->locations.count);
  return NULL;
}

void circuit_free(Circuit *c) {
  for (size_t i = 0; i < c->threads.count; i++) {
    U32Vector_free(&c->threads.data[i].locations);
    U32Vector_free(&c->threads.data[i].at);
  }
  CircuitEdgeVector_free(&c->cuts);
  CircuitEdgeVector_free(&c->errors);
  CircuitEdgeVector_free(&c->edges);
  CircuitThreadVector_free(&c->threads);
  U32Vector *const vectors[] = {&c->fresh, &c->choice, &c->select, &c->latch_of_bit, &c->value_of_bit, &c->place_of};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) U32Vector_free(vectors[i]);
  CircuitInputVector_free(&c->inputs);
  CircuitLatchVector_free(&c->latches);
  aig_copy_free(&c->from_words);
  aig_free(&c->aig);
}
