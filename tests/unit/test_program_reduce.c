// Random small programs. Reductions against the program they reduce: explored completely, it reaches an error after
// slicing and with large blocks if and only if it did before. Live variables against their definition.
#include "share.h"
#include "test_program_support.h"

#include "program/facts/facts.h"

enum { PROGRAMS = 1500 / SHARE, MOST_THREADS = 3, MOST_VARIABLES = 48, MOST_CELLS = 24, MOST_STATES = 60000 };

// --- a complete search ---

typedef struct State {
  LocationId at[MOST_THREADS];
  uint8_t variables[MOST_VARIABLES], cells[MOST_CELLS];
} State;
VECTOR(StateVector, State);

typedef struct Search {
  const Program *p;
  StateVector work;
  Map seen;
  bool error, too_large;
} Search;

typedef struct Values {
  const Program *p;
  const State *state;
} Values;

static Bits value_of(void *context, Term variable) {
  const Values *values = context;
  return values->state->variables[program_variable_of_term(values->p, variable)];
}

static Bits evaluate(const Program *p, const State *state, Term t) {
  Values values = {p, state};
  TermValuation valuation = {.value_of = value_of, .context = &values};
  return term_evaluate(p->terms, t, &valuation);
}

// The cell that the access touches now, or NO_ID: invalid. All cells of these programs are bytes or accessed whole.
static CellId touched(const Program *p, const State *state, const Access *access) {
  CellId cell = program_cell_at(p, (uint64_t)evaluate(p, state, access->address));
  for (uint32_t i = 0; cell != NO_ID && i < access->cells.count; i++)
    if (p->cell_lists.data[access->cells.first + i] == cell) return cell;
  return NO_ID;
}

static void step_from(Search *search, State state, const Edge *edge, uint32_t index, ThreadId thread);

static void assign_and_go_on(Search *search, State before, State after, const Edge *edge, uint32_t index, uint32_t from,
                             ThreadId thread) {
  const Program *p = search->p;
  const Step *step = &p->steps.data[edge->first_step + index];
  for (uint32_t i = from; i < step->assignment_count; i++) {
    VariableId v = step->assignments[i].variable;
    if (!value_is_fresh(step->assignments[i].value)) {
      after.variables[v] = (uint8_t)evaluate(p, &before, step->assignments[i].value);
      continue;
    }
    unsigned values = 1u << term_width(p->terms, variable_term(p, v));
    for (unsigned value = 0; value < values; value++) {
      after.variables[v] = (uint8_t)value;
      assign_and_go_on(search, before, after, edge, index, i + 1, thread);
    }
    return;
  }
  step_from(search, after, edge, index + 1, thread);
}

// Runs the steps of an edge from number `index` on, without interruption; inside an atomic section, to its end.
static void step_from(Search *search, State state, const Edge *edge, uint32_t index, ThreadId thread) {
  const Program *p = search->p;
  if (index == edge->step_count) {
    state.at[thread] = edge->to;
    const Location *to = &p->locations.data[edge->to];
    if (!to->atomic) {
      uint64_t hash = hash_bytes(&state, sizeof state);
      if (map_contains(&search->seen, hash)) return;
      map_put(&search->seen, hash, 1);
      search->too_large |= search->seen.count > MOST_STATES;
      StateVector_push(&search->work, state);
      return;
    }
    for (uint32_t i = 0; i < to->out_count; i++)
      step_from(search, state, &p->edges.data[p->out_edges.data[to->first_out + i]], 0, thread);
    return;
  }
  const Step *step = &p->steps.data[edge->first_step + index];
  CellId cell = NO_ID;
  if (step->access.address != TERM_NONE) {
    cell = touched(p, &state, &step->access);
    if (cell == NO_ID) return; // the execution ends
    if (step->access.reads) state.variables[step->access.into] = state.cells[cell];
  }
  if (!evaluate(p, &state, step->guard)) return;
  if (step->kind == STEP_ERROR) search->error = true;
  if (step->access.writes) state.cells[cell] = (uint8_t)evaluate(p, &state, step->access.stored);
  assign_and_go_on(search, state, state, edge, index, 0, thread);
}

static bool reaches_error(const Program *p, bool *too_large) {
  assert_true(p->variables.count <= MOST_VARIABLES && p->cells.count <= MOST_CELLS);
  Search search = {.p = p};
  State state;
  memset(&state, 0, sizeof state);
  for (size_t t = 0; t < p->threads.count; t++) state.at[t] = p->threads.data[t].entry;
  StateVector_push(&search.work, state);
  while (search.work.count && !search.error && !search.too_large) {
    state = StateVector_pop(&search.work);
    for (ThreadId t = 0; t < p->threads.count; t++) {
      const Location *at = &p->locations.data[state.at[t]];
      for (uint32_t i = 0; i < at->out_count; i++)
        step_from(&search, state, &p->edges.data[p->out_edges.data[at->first_out + i]], 0, t);
    }
  }
  *too_large = search.too_large;
  bool error = search.error;
  StateVector_free(&search.work);
  map_free(&search.seen);
  return error;
}

// --- random programs ---

typedef struct Random {
  Make m;
  uint64_t seed;
  ObjectId shared[2], array, own[MOST_THREADS];
  VariableId variables[MOST_THREADS][3];
} Random;

static unsigned pick(Random *r, unsigned count) {
  r->seed = r->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (unsigned)(r->seed >> 33) % count;
}

static Term some_variable(Random *r, ThreadId t) { return make_value(&r->m, r->variables[t][pick(r, 3)]); }

static Term some_condition(Random *r, ThreadId t) {
  Term equal = term_eq(r->m.p->terms, some_variable(r, t), make_constant(&r->m, 8, pick(r, 3)));
  return pick(r, 2) ? equal : term_not(r->m.p->terms, equal);
}

static Term some_address(Random *r, ThreadId t) {
  unsigned kind = pick(r, 6);
  if (kind > 2) return make_address(&r->m, r->shared[kind % 2], 0);
  if (kind == 2) return make_address(&r->m, r->own[t], 0);
  // An index that may be out of range, into memory of all or of this thread only.
  Term index = term_zero_extend(r->m.p->terms, some_variable(r, t), 64);
  return term_add(r->m.p->terms, make_address(&r->m, kind ? r->array : r->own[t], 0), index);
}

static Term some_value(Random *r, ThreadId t) {
  if (pick(r, 2)) return make_constant(&r->m, 8, pick(r, 3));
  Term next = term_add_constant(r->m.p->terms, some_variable(r, t), 1);
  return term_and(r->m.p->terms, next, make_constant(&r->m, 8, 3));
}

static void add_input(Random *r, ThreadId t, VariableId variable) {
  VariableId bit = make_variable(&r->m, t, 1, "bit");
  make_assign(&r->m, t, bit, VALUE_INPUT);
  make_assign(&r->m, t, variable, term_zero_extend(r->m.p->terms, make_value(&r->m, bit), 8));
}

static void add_statements(Random *r, ThreadId t, unsigned count);

static void add_branch(Random *r, ThreadId t) {
  Make *m = &r->m;
  LocationId otherwise = make_branch(m, t, some_condition(r, t));
  add_statements(r, t, 1 + pick(r, 2));
  LocationId join = m->at[t];
  m->at[t] = otherwise;
  if (pick(r, 2)) add_statements(r, t, 1);
  make_jump(m, t, join);
}

static void add_section(Random *r, ThreadId t) {
  Make *m = &r->m;
  m->atomic = true;
  make_kind(m, t, STEP_ATOMIC_BEGIN);
  add_statements(r, t, 1 + pick(r, 3));
  if (pick(r, 2)) make_guarded(m, t, STEP_WAIT, some_condition(r, t));
  m->atomic = false;
  make_kind(m, t, STEP_ATOMIC_END);
}

static void add_error(Random *r, ThreadId t) {
  Make *m = &r->m;
  bool atomic = m->atomic;
  make_load(m, t, r->variables[t][0], make_address(m, r->shared[0], 0));
  make_load(m, t, r->variables[t][1], make_address(m, r->shared[1], 0));
  LocationId otherwise = make_branch(m, t, term_and(m->p->terms, some_condition(r, t), some_condition(r, t)));
  m->atomic = false;
  make_kind(m, t, STEP_ERROR);
  m->atomic = atomic;
  m->at[t] = otherwise;
}

// A write, and a step at which the thread may stop for ever: others must still see the write.
static void add_stop(Random *r, ThreadId t) {
  static const StepKind kinds[] = {STEP_ASSUME, STEP_WAIT, STEP_PLAIN};
  Make *m = &r->m;
  make_store(m, t, make_address(m, r->shared[pick(r, 2)], 0), some_value(r, t));
  unsigned kind = pick(r, 4);
  if (kind < 3) {
    make_guarded(m, t, kinds[kind], some_condition(r, t));
    return;
  }
  Term index = term_zero_extend(m->p->terms, some_variable(r, t), 64);
  make_store(m, t, term_add(m->p->terms, make_address(m, r->own[t], 0), index), make_constant(m, 8, 1));
}

static void add_loop(Random *r, ThreadId t) {
  Make *m = &r->m;
  make_kind(m, t, STEP_PLAIN);
  LocationId head = m->at[t];
  LocationId done = make_branch(m, t, some_condition(r, t));
  add_statements(r, t, 1 + pick(r, 2));
  make_jump(m, t, head);
  m->at[t] = done;
}

static void add_statements(Random *r, ThreadId t, unsigned count) {
  Make *m = &r->m;
  for (unsigned i = 0; i < count; i++) {
    switch (pick(r, t == 1 ? 16 : 12)) {
    case 0:
    case 1:
    case 2: make_load(m, t, r->variables[t][pick(r, 3)], some_address(r, t)); break;
    case 3:
    case 4:
    case 5: make_store(m, t, some_address(r, t), some_value(r, t)); break;
    case 6: make_assign(m, t, r->variables[t][pick(r, 3)], some_value(r, t)); break;
    case 7: add_branch(r, t); break;
    case 8: add_stop(r, t); break;
    case 9:
      if (!m->atomic) add_section(r, t);
      break;
    case 10:
      if (m->atomic || pick(r, 2))
        add_input(r, t, r->variables[t][pick(r, 3)]);
      else
        add_loop(r, t);
      break;
    default:
      if (t == 2)
        add_error(r, t); // one thread errs, the other changes what it sees
      else
        add_stop(r, t);
      break;
    }
  }
}

static void make_random(Random *r, uint64_t seed) {
  Make *m = &r->m;
  make_begin(m, 64);
  r->seed = seed;
  make_thread(m, 0, 0, "first");
  make_thread(m, 0, 1, "second");
  r->shared[0] = make_object(m, 1, "x");
  r->shared[1] = make_object(m, 1, "y");
  r->array = make_object(m, 2, "a");
  for (ThreadId t = 0; t < MOST_THREADS; t++) {
    r->own[t] = make_object(m, 1, "own");
    for (unsigned v = 0; v < 3; v++) {
      r->variables[t][v] = make_variable(m, t, 8, "v");
      if (t > 0 && v < 2) add_input(r, t, r->variables[t][v]); // constants would fold too much away
      if (t > 0 && v == 2 && pick(r, 2)) make_assign(m, t, r->variables[t][v], make_constant(m, 8, pick(r, 2)));
    }
  }
  make_create(m, 0, 1);
  make_create(m, 0, 2);
  make_exit(m, 0);
  for (ThreadId t = 1; t < MOST_THREADS; t++) {
    add_statements(r, t, 6);
    make_exit(m, t);
  }
}

static void test_reductions_keep_reachability(void **state) {
  (void)state;
  unsigned errors = 0, compared = 0, merged = 0;
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    Random r;
    make_random(&r, seed);
    passes_prepare(r.m.p, NULL);
    bool large, ignored;
    bool expected = reaches_error(r.m.p, &large);
    for (BlockSize way = BLOCK_STEP; way <= BLOCK_LARGE && !large; way++) {
      Program *view = program_view(r.m.p);
      passes_reduce(view, PRESERVES_REACHABILITY, way);
      assert_valid(view);
      if (reaches_error(view, &ignored) != expected)
        fail_msg("seed %u: with reductions %u the error is %s", (unsigned)seed, way, expected ? "lost" : "invented");
      merged += view->edges.count < r.m.p->edges.count;
      compared++;
      program_free_view(view);
    }
    errors += expected;
    make_end(&r.m);
  }
  // The comparison means something only if both answers occur and blocks really are merged.
  assert_true(compared > PROGRAMS);
  assert_in_range(errors, PROGRAMS / 10, PROGRAMS - PROGRAMS / 10);
  assert_true(merged > PROGRAMS / 2);
}

// --- live variables ---

static bool mentions(const Program *p, Term t, VariableId v) {
  return t != TERM_NONE && !value_is_fresh(t) && term_mentions(p->terms, t, variable_term(p, v));
}

// Is `v` live before the step, if `after` tells what is live behind it?
static bool live_before(const Program *p, const Step *step, const bool *after, VariableId v) {
  if (mentions(p, step->access.address, v)) return true;
  if (step->access.into == v) return false;
  bool live = after[v];
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (step->assignments[i].variable == v) live = false;
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (after[step->assignments[i].variable]) live |= mentions(p, step->assignments[i].value, v);
  return live || mentions(p, step->guard, v) || mentions(p, step->access.stored, v) || mentions(p, step->operand, v);
}

static void check_live(const Program *p, size_t *spread) {
  size_t variables = p->variables.count, locations = p->locations.count;
  bool *live = memory_allocate_zeroed(NULL, variables * locations + 1);
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t e = 0; e < p->edges.count; e++) {
      const Edge *edge = &p->edges.data[e];
      for (VariableId v = 0; v < variables; v++) {
        bool *before = &live[edge->from * variables + v];
        if (*before || !live_before(p, &p->steps.data[edge->first_step], &live[edge->to * variables], v)) continue;
        *before = changed = true;
      }
    }
  }
  LiveVariables facts;
  live_variables(p, &facts, NULL);
  for (size_t l = 0; l < locations; l++)
    for (VariableId v = 0; v < variables; v++) assert_int_equal(live_at(&facts, l, v), live[l * variables + v]);
  live_variables_free(&facts);
  // With hardly any room, more counts as live, never less.
  live_variables_within(p, &facts, 4, NULL);
  for (size_t l = 0; l < locations; l++)
    for (VariableId v = 0; v < variables; v++) assert_true(live_at(&facts, l, v) || !live[l * variables + v]);
  *spread += !bitset_empty(&facts.everywhere);
  live_variables_free(&facts);
  memory_free(NULL, live, variables * locations + 1);
}

static void test_live_variables_by_definition(void **state) {
  (void)state;
  size_t spread = 0;
  for (uint64_t seed = 1; seed <= PROGRAMS / 10; seed++) {
    Random r;
    make_random(&r, seed);
    program_index(r.m.p);
    check_live(r.m.p, &spread);
    passes_prepare(r.m.p, NULL);
    check_live(r.m.p, &spread);
    make_end(&r.m);
  }
  assert_true(spread > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reductions_keep_reachability),
      cmocka_unit_test(test_live_variables_by_definition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
