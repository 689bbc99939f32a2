#include "explicit/input_regions.h"

#include "program/facts/ranges.h"
#include "program/facts/value_tests.h"
#include "solver/solver.h"
#include "verdict/schedule.h" // BitsVector

// --- the regions of one set of tests ---

enum { MOST_EVALUATED = 10 }; // bits of which all values are looked at
#define MOST_SECONDS 1.0      // of the solver, for one set of tests

typedef struct Finder {
  TermStore *terms;
  Term hole;
  unsigned width;
  const Term *tests;
  size_t count;
  U64Vector *values;
  BitsVector results; // of the tests, for each value
  uint64_t value;     // of the hole, while a test is evaluated
  Account *account;
} Finder;

static Bits hole_value(void *context, Term variable) {
  const Finder *finder = context;
  assert(variable == finder->hole);
  (void)variable;
  return finder->value;
}

static bool is_known(const Finder *finder, const Bits *results) {
  for (size_t i = 0; i < finder->values->count; i++)
    if (memcmp(finder->results.data + i * finder->count, results, finder->count * sizeof(Bits)) == 0) return true;
  return false;
}

// Keeps a value if it is the first of its region. False: there are too many.
static bool try_value(Finder *finder, uint64_t value) {
  TermValuation valuation = {.value_of = hole_value, .context = finder};
  Bits results[MOST_TESTS];
  finder->value = value & (uint64_t)bits_mask(finder->width);
  for (size_t i = 0; i < finder->count; i++) results[i] = term_evaluate(finder->terms, finder->tests[i], &valuation);
  if (is_known(finder, results)) return true;
  if (finder->values->count == MOST_REGIONS) return false;
  U64Vector_push(finder->values, finder->value);
  for (size_t i = 0; i < finder->count; i++) BitsVector_push(&finder->results, results[i]);
  return true;
}

static bool compares_with_constant(const Finder *finder, Term test) {
  const TermStore *terms = finder->terms;
  while (term_operator(terms, test) == TERM_NOT) test = term_child(terms, test, 0);
  TermOperator op = term_operator(terms, test);
  if (op != TERM_EQ && op != TERM_ULT && op != TERM_ULE && op != TERM_SLT && op != TERM_SLE) return false;
  Term a = term_child(terms, test, 0), b = term_child(terms, test, 1);
  return (a == finder->hole && term_is_constant(terms, b)) || (b == finder->hole && term_is_constant(terms, a));
}

static bool all_compare(const Finder *finder) {
  for (size_t i = 0; i < finder->count; i++)
    if (!compares_with_constant(finder, finder->tests[i])) return false;
  return true;
}

// Tries what tests name: constants, as they are and negative, and their neighbours. A comparison with the constant c
// changes its mind at c, at c + 1, at 0 or at the smallest signed number only; all these are tried.
static bool try_constants(Finder *finder, Term t) {
  const TermStore *terms = finder->terms;
  if (term_is_constant(terms, t)) {
    uint64_t c = (uint64_t)term_constant_value(terms, t);
    return try_value(finder, c) && try_value(finder, c + 1) && try_value(finder, c - 1) && try_value(finder, 0 - c);
  }
  for (unsigned i = 0; i < term_arity(terms, t); i++)
    if (!try_constants(finder, term_child(terms, t, i))) return false;
  return true;
}

// A test behind a condition that few values fulfil: these.
static bool try_guarded(Finder *finder, Term test) {
  if (term_operator(finder->terms, test) != TERM_ITE) return true;
  RangeSet set = ranges_of_condition(finder->terms, term_child(finder->terms, test, 0), finder->hole, true);
  if (ranges_size(&set) > MOST_REGIONS) return true;
  for (size_t i = 0; i < set.count; i++)
    for (uint64_t k = 0; k <= set.ranges[i].high - set.ranges[i].low; k++)
      if (!try_value(finder, set.ranges[i].low + k)) return false;
  return true;
}

static bool try_likely(Finder *finder) {
  uint64_t lowest = UINT64_C(1) << (finder->width - 1);
  const uint64_t common[] = {0, 1, 2, 3, 4, UINT64_MAX, UINT64_MAX - 1, lowest, lowest - 1};
  for (size_t i = 0; i < sizeof common / sizeof *common; i++)
    if (!try_value(finder, common[i])) return false;
  for (size_t i = 0; i < finder->count; i++)
    if (!try_constants(finder, finder->tests[i]) || !try_guarded(finder, finder->tests[i])) return false;
  return true;
}

static bool try_all(Finder *finder) {
  for (uint64_t value = 0; value >> finder->width == 0; value++)
    if (!try_value(finder, value)) return false;
  return true;
}

// A clause for each region known: some test has another result.
static void exclude(Finder *finder, Solver *solver, size_t region) {
  Term differs[MOST_TESTS];
  for (size_t i = 0; i < finder->count; i++) {
    unsigned width = term_width(finder->terms, finder->tests[i]);
    Bits result = finder->results.data[region * finder->count + i];
    differs[i] = term_ne(finder->terms, finder->tests[i], term_constant(finder->terms, width, result));
  }
  solver_add_clause(solver, differs, finder->count);
}

// Asks for a value of no known region until there is none.
static bool ask_solver(Finder *finder, const Budget *budget) {
  double left = budget == NULL ? MOST_SECONDS : budget_left(budget) / 4;
  Budget own;
  budget_init(&own, left < MOST_SECONDS ? left : MOST_SECONDS, budget == NULL ? NULL : budget->flag);
  Solver *solver = solver_new(SOLVER_AUTOMATIC, finder->terms, finder->account, &own);
  bool complete = false;
  for (size_t excluded = 0; !complete;) {
    for (; excluded < finder->values->count; excluded++) exclude(finder, solver, excluded);
    SolverAnswer answer = solver_check(solver, NULL, 0);
    complete = answer == SOLVER_UNSAT;
    if (answer != SOLVER_SAT) break;
    if (!try_value(finder, (uint64_t)solver_value(solver, finder->hole))) break;
    if (finder->values->count == excluded) break; // solver and evaluation do not agree: rely on neither
  }
  solver_free(solver);
  return complete;
}

bool regions_of_tests(TermStore *terms, Term hole, const Term *tests, size_t count, const Budget *budget,
                      U64Vector *values) {
  assert(count <= MOST_TESTS);
  Finder finder = {.terms = terms, .hole = hole, .tests = tests, .count = count, .values = values};
  finder.width = term_width(terms, hole);
  finder.account = values->account;
  BitsVector_init(&finder.results, values->account);
  U64Vector_clear(values);
  bool found = try_likely(&finder);
  if (found && !all_compare(&finder))
    found = finder.width <= MOST_EVALUATED ? try_all(&finder) : ask_solver(&finder, budget);
  BitsVector_free(&finder.results);
  return found;
}

// --- of a program ---

// Of the time that is left: for finding out what is looked at, and for solvers.
#define SHARE_OF_TESTS 0.25
#define SHARE_OF_SOLVERS 0.1

typedef struct Regions {
  Domains *domains;
  const MachineCode *code;
  const Budget *budget;
  ValueTests tests;
  Map known; // number of a set of tests, width -> number of its domain; 0: none was found
  U64Vector values;
} Regions;

static uint32_t find_domain(Regions *regions, TestSetId id, unsigned width) {
  U64Vector *values = &regions->values;
  U64Vector_clear(values);
  uint32_t count;
  const Term *set = test_set_at(&regions->tests.sets, id, &count);
  Term hole = regions->tests.holes[width];
  if (count == 0)
    U64Vector_push(values, 0);
  else if (!regions_of_tests(regions->tests.program->terms, hole, set, count, regions->budget, values))
    return 0;
  return domains_add(regions->domains, values->data, values->count);
}

// Equal sets of tests are looked at once.
static void give(Regions *regions, ChoiceKind kind, size_t place, TestSetId id, unsigned width) {
  if (width > 64 || id == TESTS_CLOSELY) return;
  uint64_t key = (uint64_t)id << 8 | width, number;
  if (!map_get(&regions->known, key, &number)) {
    number = find_domain(regions, id, width);
    map_put(&regions->known, key, number);
  }
  domains_set(regions->domains, kind, place, (uint32_t)number);
}

static void give_inputs(Regions *regions, const EdgeCode *edge) {
  const VariableWriteVector *writes = &regions->code->writes;
  for (uint32_t i = edge->first_write; i < edge->first_write + edge->write_count; i++) {
    const VariableWrite *write = &writes->data[i];
    if (write->kind != WRITE_INPUT) continue;
    give(regions, CHOICE_INPUT, i, value_tests_at(&regions->tests, edge->to, write->variable), write->width);
  }
}

static void give_uses(Regions *regions, LocationId location) {
  const LocationCode *code = &regions->code->locations[location];
  for (uint32_t i = code->first_resolve; i < code->first_resolve + code->resolve_count; i++) {
    const Resolve *resolve = &regions->code->resolves.data[i];
    give(regions, CHOICE_VARIABLE, i, value_tests_at(&regions->tests, location, resolve->variable), resolve->width);
  }
}

static void give_all(Regions *regions) {
  const Program *p = regions->tests.program;
  for (EdgeId e = 0; e < p->edges.count; e++) give_inputs(regions, &regions->code->edges[e]);
  for (LocationId l = 0; l < p->locations.count; l++) give_uses(regions, l);
  for (CellId c = 0; c < p->cells.count; c++) {
    if (regions->code->layout->cells[c].flag == NO_ID) continue;
    give(regions, CHOICE_CELL, c, regions->tests.cells[c], 8 * p->cells.data[c].bytes);
  }
}

void regions_find(Domains *domains, Program *program, const MachineCode *code, const Budget *budget, Account *account) {
  assert(code->layout->program == program);
  Budget share = budget_share(budget, SHARE_OF_TESTS);
  Regions regions = {.domains = domains, .code = code};
  map_init(&regions.known, account);
  U64Vector_init(&regions.values, account);
  bool known = value_tests(program, &regions.tests, &share, account);
  Budget solvers = budget_share(budget, SHARE_OF_SOLVERS);
  regions.budget = &solvers;
  if (known) give_all(&regions);
  value_tests_free(&regions.tests);
  U64Vector_free(&regions.values);
  map_free(&regions.known);
}
