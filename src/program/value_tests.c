#include "program/value_tests.h"

#include "program/flow.h"
#include "program/rewrite.h"

typedef struct Analysis {
  Program *program;
  ValueTests *tests;
  Flow flow;
  Map holds;             // term -> what is known of its variables (see variable_of)
  Map seen;              // terms that were taken apart
  Map stored, loaded;    // set and test: what the set's writers store was looked at so; its cells are
  U32Vector work;        // nodes whose tests are to be passed on
  U32Vector done;        // per test set: how many of its tests were passed on; CLOSELY_DONE: all that there can be
  U32Vector node_of_set; // per test set
  Bitset waiting;        // nodes in `work`
} Analysis;

enum { MOST_TEST_SIZE = 100 }; // nodes of a test, as a graph
#define CLOSELY_DONE UINT32_MAX

// A node is a variable, or, behind all of these, a cell.
static uint32_t node_of_cell(const Program *p, CellId cell) { return (uint32_t)p->variables.count + cell; }

static uint32_t *index_of_node(const Analysis *analysis, uint32_t node) {
  size_t variables = analysis->program->variables.count;
  ValueTests *tests = analysis->tests;
  return node < variables ? &tests->of_variable[node] : &tests->of_cell[node - variables];
}

// --- what may come from outside ---

static void reach_node(Analysis *analysis, uint32_t node) {
  uint32_t *index = index_of_node(analysis, node);
  if (*index != NO_ID) return;
  *index = (uint32_t)analysis->tests->sets.count;
  TestSetVector_push(&analysis->tests->sets, (TestSet){0});
  U32Vector_push(&analysis->node_of_set, node);
  U32Vector_push(&analysis->done, 0);
}

static void reach_cells(Analysis *analysis, CellSet set) {
  const Program *p = analysis->program;
  for (uint32_t i = 0; i < set.count; i++) reach_node(analysis, node_of_cell(p, cell_set_cells(p, set)[i]));
}

static bool from_outside(const Analysis *analysis, const uint32_t *variables, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (analysis->tests->of_variable[variables[i]] != NO_ID) return true;
  return false;
}

static bool loads_from_outside(const Analysis *analysis, CellSet set) {
  const Program *p = analysis->program;
  for (uint32_t i = 0; i < set.count; i++)
    if (analysis->tests->of_cell[cell_set_cells(p, set)[i]] != NO_ID) return true;
  return false;
}

static void follow_step(Analysis *analysis, const StepUses *uses, StepId s, Bitset *full) {
  const Program *p = analysis->program;
  const Step *step = &p->steps.data[s];
  uint32_t count, set = analysis->flow.set_of[s];
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    const uint32_t *variables = step_uses(uses, s, USES_FIRST_ASSIGNMENT + i, &count);
    if (value_is_fresh(step->assignments[i].value) || from_outside(analysis, variables, count))
      reach_node(analysis, step->assignments[i].variable);
  }
  if (set == NO_ID) return;
  if (step->access.reads && analysis->tests->of_variable[step->access.into] == NO_ID &&
      loads_from_outside(analysis, step->access.cells))
    reach_node(analysis, step->access.into);
  if (!step->access.writes || bitset_get(full, set)) return;
  const uint32_t *variables = step_uses(uses, s, USES_REST, &count); // the guard's, too: more than needed
  if (!value_is_fresh(step->access.stored) && !from_outside(analysis, variables, count)) return;
  bitset_set(full, set);
  reach_cells(analysis, step->access.cells);
}

static void find_nodes(Analysis *analysis) {
  const Program *p = analysis->program;
  StepUses uses;
  Bitset full; // sets of which every cell was reached
  step_uses_init(&uses, p, analysis->tests->account);
  bitset_init(&full, analysis->flow.sets.count, analysis->tests->account);
  for (CellId c = 0; c < p->cells.count; c++)
    if (p->cells.data[c].initial == TERM_NONE) reach_node(analysis, node_of_cell(p, c));
  size_t before;
  do {
    before = analysis->tests->sets.count;
    for (StepId s = 0; s < p->steps.count; s++) follow_step(analysis, &uses, s, &full);
  } while (analysis->tests->sets.count > before);
  bitset_free(&full);
  step_uses_free(&uses);
}

// --- tests ---

enum { NO_VARIABLE = 0, SEVERAL_VARIABLES = 1 }; // besides terms, which are moved behind them

// The variable of a term, if there is just one (plus SEVERAL_VARIABLES).
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

static void wake(Analysis *analysis, uint32_t index) {
  if (bitset_add(&analysis->waiting, index)) U32Vector_push(&analysis->work, index);
}

static void look_closely(Analysis *analysis, uint32_t index) {
  TestSet *set = &analysis->tests->sets.data[index];
  if (set->closely) return;
  set->closely = true;
  wake(analysis, index);
}

static void add_test(Analysis *analysis, uint32_t index, Term test) {
  TestSet *set = &analysis->tests->sets.data[index];
  const TermStore *terms = analysis->program->terms;
  if (set->closely || term_is_constant(terms, test)) return;
  for (uint32_t i = 0; i < set->count; i++)
    if (set->tests[i] == test) return;
  bool bare = term_operator(terms, test) == TERM_VARIABLE;
  if (bare || set->count == MOST_TESTS || term_dag_size(terms, test) > MOST_TEST_SIZE) {
    look_closely(analysis, index);
    return;
  }
  set->tests[set->count++] = test;
  wake(analysis, index);
}

// The value of `t`, all of it, has an effect.
static void look_at(Analysis *analysis, Term t) {
  const Program *p = analysis->program;
  if (t == TERM_NONE || value_is_fresh(t) || map_contains(&analysis->seen, t)) return;
  map_put(&analysis->seen, t, 1);
  uint64_t found = variable_of(analysis, t);
  if (found == NO_VARIABLE) return;
  if (found == SEVERAL_VARIABLES) {
    for (unsigned i = 0; i < term_arity(p->terms, t); i++) look_at(analysis, term_child(p->terms, t, i));
    return;
  }
  Term variable = (Term)(found - SEVERAL_VARIABLES);
  VariableId v = program_variable_of_term(p, variable);
  CellId c = program_cell_of_term(p, variable);
  uint32_t index = v != NO_ID ? analysis->tests->of_variable[v] : c != NO_ID ? analysis->tests->of_cell[c] : NO_ID;
  if (index == NO_ID) return;
  unsigned width = term_width(p->terms, variable);
  if (width > 64)
    look_closely(analysis, index);
  else
    add_test(analysis, index, replace(analysis, t, variable, hole(analysis, width)));
}

static void look_at_roots(Analysis *analysis) {
  Program *p = analysis->program;
  for (StepId s = 0; s < p->steps.count; s++) {
    const Step *step = &p->steps.data[s];
    look_at(analysis, step->guard);
    look_at(analysis, step->access.address);
    if (step->kind == STEP_DIVIDE)
      look_at(analysis, term_is_nonzero(p->terms, step->operand));
    else
      look_at(analysis, step->operand);
  }
  for (size_t i = 0; i < p->observations.count; i++) look_at(analysis, p->observations.data[i]);
  look_at(analysis, p->unforeseen);
}

// --- passing on ---

// `value` becomes the value of something with this test; TERM_NONE: that is looked at closely.
static void look_through(Analysis *analysis, Term value, Term test) {
  const TermStore *terms = analysis->program->terms;
  if (value_is_fresh(value)) return;
  if (test == TERM_NONE)
    look_at(analysis, value);
  else
    look_at(analysis, replace(analysis, test, analysis->tests->holes[term_width(terms, value)], value));
}

static bool is_first(Map *map, uint32_t set, Term test) {
  uint64_t key = (uint64_t)set << 32 | test;
  if (map_contains(map, key)) return false;
  map_put(map, key, 1);
  return true;
}

static void pass_to_cells(Analysis *analysis, StepId step, Term test) {
  const Program *p = analysis->program;
  const Access *access = &p->steps.data[step].access;
  uint32_t set = analysis->flow.set_of[step];
  if (set == NO_ID) return;
  if (!access_is_whole(p, access)) test = TERM_NONE;
  if (!is_first(&analysis->loaded, set, test)) return;
  for (uint32_t i = 0; i < access->cells.count; i++) {
    uint32_t index = analysis->tests->of_cell[cell_set_cells(p, access->cells)[i]];
    if (index == NO_ID) continue;
    if (test == TERM_NONE)
      look_closely(analysis, index);
    else
      add_test(analysis, index, test);
  }
}

static void pass_from_variable(Analysis *analysis, VariableId variable, Term test) {
  const Flow *flow = &analysis->flow;
  uint32_t count;
  const uint32_t *definitions = lists_at(&flow->of_variable, variable, &count);
  for (uint32_t i = 0; i < count; i++) {
    Definition definition = flow->definitions.data[definitions[i]];
    if (definition.assignment == FLOW_LOAD)
      pass_to_cells(analysis, definition.step, test);
    else
      look_through(analysis, analysis->program->steps.data[definition.step].assignments[definition.assignment].value,
                   test);
  }
}

static void pass_from_cell(Analysis *analysis, CellId cell, Term test) {
  const Program *p = analysis->program;
  const Flow *flow = &analysis->flow;
  uint32_t sets, writers;
  const uint32_t *set = lists_at(&flow->of_cell, cell, &sets);
  for (uint32_t i = 0; i < sets; i++) {
    if (!is_first(&analysis->stored, set[i], test)) continue;
    const uint32_t *steps = lists_at(&flow->writers, set[i], &writers);
    for (uint32_t k = 0; k < writers; k++) {
      const Access *access = &p->steps.data[steps[k]].access;
      look_through(analysis, access->stored, 8 * access->bytes == 8 * p->cells.data[cell].bytes ? test : TERM_NONE);
    }
  }
}

static void pass_on(Analysis *analysis, uint32_t index, Term test) {
  uint32_t node = analysis->node_of_set.data[index];
  size_t variables = analysis->program->variables.count;
  if (node < variables)
    pass_from_variable(analysis, node, test);
  else
    pass_from_cell(analysis, (CellId)(node - variables), test);
}

static void close_over(Analysis *analysis) {
  while (analysis->work.count > 0) {
    uint32_t index = U32Vector_pop(&analysis->work);
    bitset_reset(&analysis->waiting, index);
    TestSet set = analysis->tests->sets.data[index];
    uint32_t *done = &analysis->done.data[index];
    if (*done == CLOSELY_DONE) continue;
    uint32_t from = *done;
    *done = set.closely ? CLOSELY_DONE : set.count;
    if (set.closely)
      pass_on(analysis, index, TERM_NONE);
    else
      for (uint32_t i = from; i < set.count; i++) pass_on(analysis, index, set.tests[i]);
  }
}

void value_tests(Program *p, ValueTests *tests, Account *account) {
  *tests = (ValueTests){.direction = FACT_MAY_ADD, .account = account};
  tests->variable_count = p->variables.count;
  tests->cell_count = p->cells.count;
  tests->of_variable = memory_allocate(account, tests->variable_count * sizeof(uint32_t));
  tests->of_cell = memory_allocate(account, tests->cell_count * sizeof(uint32_t));
  for (size_t v = 0; v < tests->variable_count; v++) tests->of_variable[v] = NO_ID;
  for (size_t c = 0; c < tests->cell_count; c++) tests->of_cell[c] = NO_ID;
  TestSetVector_init(&tests->sets, account);
  Analysis analysis = {.program = p, .tests = tests};
  flow_init(&analysis.flow, p, account);
  map_init(&analysis.holds, account);
  map_init(&analysis.seen, account);
  map_init(&analysis.stored, account);
  map_init(&analysis.loaded, account);
  U32Vector_init(&analysis.work, account);
  U32Vector_init(&analysis.done, account);
  U32Vector_init(&analysis.node_of_set, account);
  find_nodes(&analysis);
  bitset_init(&analysis.waiting, tests->sets.count, account);
  if (tests->sets.count > 0) look_at_roots(&analysis);
  close_over(&analysis);
  bitset_free(&analysis.waiting);
  U32Vector_free(&analysis.node_of_set);
  U32Vector_free(&analysis.done);
  U32Vector_free(&analysis.work);
  map_free(&analysis.loaded);
  map_free(&analysis.stored);
  map_free(&analysis.seen);
  map_free(&analysis.holds);
  flow_free(&analysis.flow);
}

void value_tests_free(ValueTests *tests) {
  TestSetVector_free(&tests->sets);
  memory_free(tests->account, tests->of_cell, tests->cell_count * sizeof(uint32_t));
  memory_free(tests->account, tests->of_variable, tests->variable_count * sizeof(uint32_t));
}
