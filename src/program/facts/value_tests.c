#include "program/facts/value_tests.h"

#include "program/facts/flow.h"
#include "program/facts/value_sources.h"
#include "program/passes/rewrite.h"

typedef struct Analysis {
  Program *program;
  ValueTests *tests;
  TestSets *sets;
  Flow flow;
  Map holds;         // term -> what is known of its variables (see variable_of)
  Map composed;      // test and value -> the test of what the value is made from
  TestSetId *stored; // per set of cells: all tests of its cells
  U32Vector work;    // locations
  Bitset waiting;    // those in `work`
  uint32_t *edge_of; // per step
  // The step at hand: its location, its access if that loads (or NULL), and its guard if that is a condition on one
  // variable.
  LocationId at;
  const Access *loads;
  VariableId guarded; // NO_ID: the guard is no such condition
  Term guard;         // over the hole
  bool changed;       // a set of the location has grown
} Analysis;

// --- places of sets ---

// The place of a variable's set at a location. NULL: the variable holds no value from outside, or is dead there.
static TestSetId *find_place(const ValueTests *tests, LocationId location, VariableId variable) {
  if (!bitset_get(&tests->variables, variable)) return NULL;
  uint32_t low = tests->row[location], high = tests->row[location + 1];
  assert(low <= high && high <= tests->in_row.count);
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (tests->in_row.data[middle] == variable) return &tests->tests.data[middle];
    if (tests->in_row.data[middle] < variable)
      low = middle + 1;
    else
      high = middle;
  }
  return tests->everywhere ? &tests->everywhere[variable] : NULL;
}

TestSetId value_tests_at(const ValueTests *tests, LocationId location, VariableId variable) {
  const TestSetId *place = find_place(tests, location, variable);
  return place ? *place : TESTS_NONE;
}

static void wake(Analysis *analysis, LocationId location) {
  assert(location < analysis->program->locations.count);
  if (bitset_add(&analysis->waiting, location)) U32Vector_push(&analysis->work, location);
}

static void wake_before(Analysis *analysis, LocationId location) {
  const Program *p = analysis->program;
  uint32_t count;
  const EdgeId *entering = location_edges_in(p, location, &count);
  for (uint32_t i = 0; i < count; i++) wake(analysis, p->edges.data[entering[i]].from);
}

// If one set stands for all locations, every step that changes the variable has to be examined again.
static void wake_definitions(Analysis *analysis, VariableId variable) {
  const Flow *flow = &analysis->flow;
  uint32_t count;
  const uint32_t *definitions = lists_at(&flow->of_variable, variable, &count);
  for (uint32_t i = 0; i < count; i++) {
    StepId step = flow->definitions.data[definitions[i]].step;
    wake(analysis, analysis->program->edges.data[analysis->edge_of[step]].from);
  }
}

// Replaces the set of a variable at the present location by one that contains it.
static void put(Analysis *analysis, VariableId variable, TestSetId grown) {
  TestSetId *place = find_place(analysis->tests, analysis->at, variable);
  if (place == NULL || *place == grown) return;
  *place = grown;
  analysis->changed = true;
  if (analysis->tests->everywhere) wake_definitions(analysis, variable);
}

// --- tests of terms ---

enum { NO_VARIABLE = 0, SEVERAL_VARIABLES = 1 }; // else SEVERAL_VARIABLES + a term

// NO_VARIABLE, SEVERAL_VARIABLES, or SEVERAL_VARIABLES + the only variable of the term.
static uint64_t variable_of(Analysis *analysis, Term t) {
  const TermStore *terms = analysis->program->terms;
  uint64_t found = NO_VARIABLE;
  if (map_get(&analysis->holds, t, &found)) return found;
  if (term_operator(terms, t) == TERM_VARIABLE) found = (uint64_t)t + SEVERAL_VARIABLES;
  for (unsigned i = 0; i < term_arity(terms, t) && found != SEVERAL_VARIABLES; i++) {
    uint64_t child = variable_of(analysis, term_child(terms, t, i));
    if (child == NO_VARIABLE || child == found) continue;
    found = found == NO_VARIABLE ? child : SEVERAL_VARIABLES;
  }
  map_put(&analysis->holds, t, found);
  return found;
}

static Term hole(Analysis *analysis, unsigned width) {
  assert(width >= 1 && width <= 64);
  Term *term = &analysis->tests->holes[width];
  if (*term == TERM_NONE) *term = term_variable(analysis->program->terms, sort_bits(width), "value");
  return *term;
}

static Term replace(Analysis *analysis, Term t, Term variable, Term by) {
  Map map;
  map_init(&map, analysis->tests->account);
  map_put(&map, variable, by);
  Term result = term_substitute(analysis->program->terms, t, &map, NULL);
  map_free(&map);
  return result;
}

static void pass_cells(Analysis *analysis, CellId cell, TestSetId grown);
static void look_at_loaded(Analysis *analysis, const Access *access, TestSetId tests);

static TestSetId with_test(Analysis *analysis, TestSetId old, Term test) {
  return test == TERM_NONE ? TESTS_CLOSELY : test_sets_add(analysis->sets, old, test);
}

// Adds a test of a variable at the present location, of the value that the step loads, or of a cell (in observations).
static void test_variable(Analysis *analysis, Term variable, Term test, bool behind_guard) {
  const Program *p = analysis->program;
  VariableId v = program_variable_of_term(p, variable);
  CellId c = program_cell_of_term(p, variable);
  unsigned width = term_width(p->terms, variable);
  if (v == NO_ID && c == NO_ID) return;
  if (v != NO_ID && !bitset_get(&analysis->tests->variables, v)) return;
  Term term = width > 64 ? TERM_NONE : replace(analysis, test, variable, hole(analysis, width));
  if (v == NO_ID)
    pass_cells(analysis, c, with_test(analysis, analysis->tests->cells[c], term));
  else if (analysis->loads != NULL && analysis->loads->into == v)
    look_at_loaded(analysis, analysis->loads, with_test(analysis, TESTS_NONE, term));
  else {
    if (term != TERM_NONE && behind_guard && v == analysis->guarded)
      term = test_sets_guard(analysis->sets, analysis->guard, term);
    put(analysis, v, with_test(analysis, value_tests_at(analysis->tests, analysis->at, v), term));
  }
}

// Adds the tests of a term whose whole value has an effect; `behind_guard`: only if the step can be taken.
static void look_at(Analysis *analysis, Term t, bool behind_guard) {
  const TermStore *terms = analysis->program->terms;
  if (t == TERM_NONE || value_is_fresh(t)) return;
  uint64_t found = variable_of(analysis, t);
  if (found == NO_VARIABLE) return;
  if (found != SEVERAL_VARIABLES) {
    test_variable(analysis, (Term)(found - SEVERAL_VARIABLES), t, behind_guard);
    return;
  }
  for (unsigned i = 0; i < term_arity(terms, t); i++) look_at(analysis, term_child(terms, t, i), behind_guard);
}

// The test of `value`, as a function of the variable that `value` is made from.
static Term compose(Analysis *analysis, Term test, Term value) {
  const TermStore *terms = analysis->program->terms;
  uint64_t key = (uint64_t)test << 32 | value, known;
  if (map_get(&analysis->composed, key, &known)) return (Term)known;
  Term result = replace(analysis, test, analysis->tests->holes[term_width(terms, value)], value);
  map_put(&analysis->composed, key, result);
  return result;
}

// Adds the tests of a value that goes into a variable or cell with these tests. If these are tests of another width,
// the whole value counts.
static void look_through(Analysis *analysis, Term value, TestSetId tests) {
  const TermStore *terms = analysis->program->terms;
  if (tests == TESTS_NONE || value_is_fresh(value) || variable_of(analysis, value) == NO_VARIABLE) return;
  uint32_t count;
  test_set_at(analysis->sets, tests, &count);
  bool whole = tests == TESTS_CLOSELY;
  for (uint32_t i = 0; i < count && !whole; i++) {
    Term test = test_set_at(analysis->sets, tests, &count)[i];
    Term tested = (Term)(variable_of(analysis, test) - SEVERAL_VARIABLES);
    whole = term_width(terms, tested) != term_width(terms, value);
    if (!whole) look_at(analysis, compose(analysis, test, value), true);
  }
  if (whole) look_at(analysis, value, true);
}

// --- cells ---

static void wake_writers(Analysis *analysis, uint32_t set) {
  const Program *p = analysis->program;
  uint32_t count;
  const uint32_t *steps = lists_at(&analysis->flow.writers, set, &count);
  for (uint32_t i = 0; i < count; i++) wake(analysis, p->edges.data[analysis->edge_of[steps[i]]].from);
}

static void pass_cells(Analysis *analysis, CellId cell, TestSetId grown) {
  if (analysis->tests->cells[cell] == grown || !bitset_get(&analysis->tests->outside, cell)) return;
  analysis->tests->cells[cell] = grown;
  uint32_t count;
  const uint32_t *sets = lists_at(&analysis->flow.of_cell, cell, &count);
  for (uint32_t i = 0; i < count; i++) {
    TestSetId all = test_sets_unite(analysis->sets, analysis->stored[sets[i]], grown);
    if (all == analysis->stored[sets[i]]) continue;
    analysis->stored[sets[i]] = all;
    wake_writers(analysis, sets[i]);
  }
}

// Adds the tests of a loaded value that goes into a variable with these tests.
static void look_at_loaded(Analysis *analysis, const Access *access, TestSetId tests) {
  const Program *p = analysis->program;
  if (tests == TESTS_NONE) return;
  if (!access_is_whole(p, access)) tests = TESTS_CLOSELY;
  for (uint32_t i = 0; i < access->cells.count; i++) {
    CellId cell = cell_set_cells(p, access->cells)[i];
    pass_cells(analysis, cell, test_sets_unite(analysis->sets, analysis->tests->cells[cell], tests));
  }
}

// --- steps ---

static void read_guard(Analysis *analysis, const Step *step) {
  const Program *p = analysis->program;
  analysis->guarded = NO_ID;
  uint64_t found = variable_of(analysis, step->guard);
  if (found <= SEVERAL_VARIABLES) return;
  Term variable = (Term)(found - SEVERAL_VARIABLES);
  unsigned width = term_width(p->terms, variable);
  VariableId v = program_variable_of_term(p, variable);
  if (v == NO_ID || width > 64 || (analysis->loads != NULL && analysis->loads->into == v)) return;
  analysis->guarded = v;
  analysis->guard = replace(analysis, step->guard, variable, hole(analysis, width));
}

// The tests, each of which matters only if the guard holds.
static TestSetId guard_set(Analysis *analysis, VariableId variable, TestSetId tests) {
  if (variable != analysis->guarded || tests == TESTS_NONE) return tests;
  const Program *p = analysis->program;
  if (tests == TESTS_CLOSELY) {
    Term self = hole(analysis, term_width(p->terms, variable_term(p, variable)));
    return test_sets_add(analysis->sets, TESTS_NONE, test_sets_guard(analysis->sets, analysis->guard, self));
  }
  TestSetId result = TESTS_NONE;
  uint32_t count;
  test_set_at(analysis->sets, tests, &count);
  for (uint32_t i = 0; i < count; i++) {
    Term test = test_set_at(analysis->sets, tests, &count)[i];
    result = test_sets_add(analysis->sets, result, test_sets_guard(analysis->sets, analysis->guard, test));
  }
  return result;
}

static bool is_assigned_by(const Step *step, VariableId variable) {
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (step->assignments[i].variable == variable) return true;
  return false;
}

static bool is_changed_by(const Step *step, VariableId variable) {
  bool loaded = step->access.address != TERM_NONE && step->access.reads && step->access.into == variable;
  return loaded || is_assigned_by(step, variable);
}

// Variables that the step does not change keep the tests that they have after it.
static void keep_tests(Analysis *analysis, const Step *step, LocationId to) {
  ValueTests *tests = analysis->tests;
  for (uint32_t i = tests->row[analysis->at]; i < tests->row[analysis->at + 1]; i++) {
    VariableId variable = tests->in_row.data[i];
    if (is_changed_by(step, variable)) continue;
    TestSetId behind = guard_set(analysis, variable, value_tests_at(tests, to, variable));
    put(analysis, variable, test_sets_unite(analysis->sets, tests->tests.data[i], behind));
  }
}

static void look_at_step(Analysis *analysis, const Edge *edge) {
  Program *p = analysis->program;
  const Step *step = edge_step(p, edge, 0);
  const Access *access = &step->access;
  uint32_t set = analysis->flow.set_of[edge->first_step];
  analysis->loads = NULL;
  look_at(analysis, access->address, false); // before the load
  if (set != NO_ID && access->reads) analysis->loads = access;
  read_guard(analysis, step);
  look_at(analysis, step->guard, false);
  // Of a divisor only counts whether it is zero.
  look_at(analysis, step->kind == STEP_DIVIDE ? term_is_nonzero(p->terms, step->operand) : step->operand, false);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    VariableId variable = step->assignments[i].variable;
    look_through(analysis, step->assignments[i].value, value_tests_at(analysis->tests, edge->to, variable));
  }
  bool kept = analysis->loads != NULL && !is_assigned_by(step, access->into);
  if (kept) look_at_loaded(analysis, access, value_tests_at(analysis->tests, edge->to, access->into));
  if (set != NO_ID && access->writes) look_through(analysis, access->stored, analysis->stored[set]);
  keep_tests(analysis, step, edge->to);
}

static bool holds_anything(const ValueTests *tests, LocationId location) {
  return tests->row[location + 1] > tests->row[location] || tests->everywhere != NULL;
}

// If no variable holds a value from outside at the location, only the steps that load from memory are examined.
static void look_at_location(Analysis *analysis, LocationId location) {
  const Program *p = analysis->program;
  uint32_t count;
  const EdgeId *edges = location_edges(p, location, &count);
  analysis->at = location;
  analysis->changed = false;
  for (uint32_t i = 0; i < count; i++) {
    const Edge *edge = &p->edges.data[edges[i]];
    const Access *access = &edge_step(p, edge, 0)->access;
    if (holds_anything(analysis->tests, location))
      look_at_step(analysis, edge);
    else if (analysis->flow.set_of[edge->first_step] != NO_ID && access->reads)
      look_at_step(analysis, edge);
  }
  if (analysis->changed) wake_before(analysis, location);
}

static void look_at_observations(Analysis *analysis) {
  const Program *p = analysis->program;
  analysis->guarded = NO_ID;
  for (size_t i = 0; i < p->observations.count; i++) look_at(analysis, p->observations.data[i], false);
  look_at(analysis, p->unforeseen, false);
}

// --- rows ---

enum { MOST_IN_ROWS = 1 << 22 };

static void make_rows(Analysis *analysis) {
  const Program *p = analysis->program;
  ValueTests *tests = analysis->tests;
  LiveVariables live;
  live_variables(p, &live, tests->account);
  bool fits = bitset_empty(&live.everywhere);
  for (LocationId l = 0; l < p->locations.count; l++) {
    uint32_t count;
    const VariableId *list = live_list(&live, l, &count);
    tests->row[l] = (uint32_t)tests->in_row.count;
    for (uint32_t i = 0; i < count && fits; i++)
      if (bitset_get(&tests->variables, list[i])) U32Vector_push(&tests->in_row, list[i]);
    fits = fits && tests->in_row.count <= MOST_IN_ROWS;
  }
  tests->row[p->locations.count] = (uint32_t)tests->in_row.count;
  live_variables_free(&live);
  U32Vector_resize(&tests->tests, tests->in_row.count);
  if (fits) return;
  // Too large: each variable has the same tests everywhere.
  for (LocationId l = 0; l <= p->locations.count; l++) tests->row[l] = 0;
  U32Vector_clear(&tests->in_row);
  tests->everywhere = memory_allocate_zeroed(tests->account, p->variables.count * sizeof(TestSetId));
}

static void analysis_init(Analysis *analysis, Program *p, ValueTests *tests) {
  Account *account = tests->account;
  *analysis = (Analysis){.program = p, .tests = tests, .sets = &tests->sets, .guarded = NO_ID};
  flow_init(&analysis->flow, p, account);
  map_init(&analysis->holds, account);
  map_init(&analysis->composed, account);
  U32Vector_init(&analysis->work, account);
  bitset_init(&analysis->waiting, p->locations.count, account);
  analysis->stored = memory_allocate_zeroed(account, analysis->flow.sets.count * sizeof(TestSetId));
  analysis->edge_of = memory_allocate_zeroed(account, p->steps.count * sizeof(uint32_t));
  for (EdgeId e = 0; e < p->edges.count; e++) {
    assert(p->edges.data[e].step_count == 1);
    analysis->edge_of[p->edges.data[e].first_step] = e;
  }
}

static void analysis_free(Analysis *analysis) {
  Account *account = analysis->tests->account;
  memory_free(account, analysis->edge_of, analysis->program->steps.count * sizeof(uint32_t));
  memory_free(account, analysis->stored, analysis->flow.sets.count * sizeof(TestSetId));
  bitset_free(&analysis->waiting);
  U32Vector_free(&analysis->work);
  map_free(&analysis->composed);
  map_free(&analysis->holds);
  flow_free(&analysis->flow);
}

static bool close_over(Analysis *analysis, Budget *budget) {
  for (LocationId l = 0; l < analysis->program->locations.count; l++) wake(analysis, l);
  look_at_observations(analysis);
  while (analysis->work.count > 0) {
    if (budget != NULL && budget_exhausted(budget, "value tests")) return false;
    LocationId location = U32Vector_pop(&analysis->work);
    bitset_reset(&analysis->waiting, location);
    look_at_location(analysis, location);
  }
  return true;
}

bool value_tests(Program *p, ValueTests *tests, Budget *budget, Account *account) {
  *tests = (ValueTests){.direction = FACT_MAY_ADD, .program = p, .account = account};
  test_sets_init(&tests->sets, p->terms, account);
  bitset_init(&tests->variables, p->variables.count, account);
  bitset_init(&tests->outside, p->cells.count, account);
  U32Vector_init(&tests->in_row, account);
  U32Vector_init(&tests->tests, account);
  tests->row = memory_allocate_zeroed(account, (p->locations.count + 1) * sizeof(uint32_t));
  tests->cells = memory_allocate_zeroed(account, p->cells.count * sizeof(TestSetId));
  Analysis analysis;
  analysis_init(&analysis, p, tests);
  value_sources(p, &analysis.flow, &tests->variables, &tests->outside, account);
  make_rows(&analysis);
  bool any = !bitset_empty(&tests->variables) || !bitset_empty(&tests->outside);
  bool done = !any || close_over(&analysis, budget);
  analysis_free(&analysis);
  return done;
}

void value_tests_free(ValueTests *tests) {
  const Program *p = tests->program;
  Account *account = tests->account;
  if (tests->everywhere) memory_free(account, tests->everywhere, p->variables.count * sizeof(TestSetId));
  memory_free(account, tests->cells, p->cells.count * sizeof(TestSetId));
  memory_free(account, tests->row, (p->locations.count + 1) * sizeof(uint32_t));
  U32Vector_free(&tests->tests);
  U32Vector_free(&tests->in_row);
  bitset_free(&tests->outside);
  bitset_free(&tests->variables);
  test_sets_free(&tests->sets);
}
