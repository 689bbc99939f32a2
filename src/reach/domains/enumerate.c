#include "reach/domains/enumerate.h"

#include <stdlib.h>

enum { QUESTIONS_PER_SOLVER = 1000, MOST_BITS = 8, MOST_VALUES = 256 };

void enumeration_init(Enumeration *e, TermStore *terms, unsigned most, Budget *budget, Account *account) {
  *e = (Enumeration){.terms = terms, .most = most < MOST_VALUES ? most : MOST_VALUES, .budget = budget};
  e->account = account;
  e->solver = solver_new(SOLVER_AUTOMATIC, terms, account, budget);
  map_init(&e->known, account);
  map_init(&e->seen, account);
  U32Vector_init(&e->lists, account);
  U32Vector_push(&e->lists, 0);
  TermVector_init(&e->values, account);
  TermVector_init(&e->relevant, account);
  TermVector_init(&e->variables, account);
}

void enumeration_free(Enumeration *e) {
  TermVector_free(&e->variables);
  TermVector_free(&e->relevant);
  TermVector_free(&e->values);
  U32Vector_free(&e->lists);
  map_free(&e->seen);
  map_free(&e->known);
  solver_free(e->solver);
}

// --- relevant conditions ---

static void add_variable(void *context, Term variable) {
  Enumeration *e = context;
  if (map_contains(&e->seen, variable)) return;
  map_put(&e->seen, variable, 1);
  TermVector_push(&e->variables, variable);
}

typedef struct Sharing {
  const Map *seen;
  bool shares;
} Sharing;

static void note_shared(void *context, Term variable) {
  Sharing *sharing = context;
  sharing->shares |= map_contains(sharing->seen, variable);
}

// Fills `relevant` with the conditions that the term's values depend on, and `variables` with all variables of the term
// and of these conditions. Returns the conjunction of the conditions.
static Term find_relevant(Enumeration *e, const Term *conditions, size_t count, Term term) {
  TermVector_clear(&e->relevant);
  TermVector_clear(&e->variables);
  map_clear(&e->seen);
  term_each_variable(e->terms, term, add_variable, e);
  ByteVector taken;
  ByteVector_init(&taken, e->account);
  ByteVector_resize(&taken, count);
  if (count > 0) memset(taken.data, 0, count);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < count; i++) {
      Sharing sharing = {.seen = &e->seen};
      if (!taken.data[i]) term_each_variable(e->terms, conditions[i], note_shared, &sharing);
      if (!sharing.shares) continue;
      taken.data[i] = more = true;
      term_each_variable(e->terms, conditions[i], add_variable, e);
    }
  }
  Term together = term_true(e->terms);
  for (size_t i = 0; i < count; i++) {
    if (!taken.data[i]) continue;
    TermVector_push(&e->relevant, conditions[i]);
    together = term_and(e->terms, together, conditions[i]);
  }
  ByteVector_free(&taken);
  return together;
}

// --- values ---

static int compare_bits(const void *a, const void *b) {
  Bits x = *(const Bits *)a, y = *(const Bits *)b;
  return x < y ? -1 : x > y;
}

typedef struct ValueSet {
  Bits values[MOST_VALUES];
  unsigned count;
} ValueSet;

// Adds the value. False: there would be more than `most` values.
static bool add_value(ValueSet *set, Bits value, unsigned most) {
  assert(most <= MOST_VALUES && set->count <= most);
  for (unsigned i = 0; i < set->count; i++)
    if (set->values[i] == value) return true;
  if (set->count == most) return false;
  set->values[set->count++] = value;
  return true;
}

// A valuation of Enumeration.variables by the bits of a number.
typedef struct Counter {
  const Enumeration *enumeration;
  uint64_t number;
} Counter;

static Bits counted_value(void *context, Term variable) {
  const Counter *counter = context;
  const TermVector *variables = &counter->enumeration->variables;
  uint64_t rest = counter->number;
  for (size_t i = 0; i < variables->count; i++) {
    unsigned width = term_width(counter->enumeration->terms, variables->data[i]);
    if (variables->data[i] == variable) return rest & (((uint64_t)1 << width) - 1);
    rest >>= width;
  }
  return 0;
}

// The number of bits of all variables; UINT32_MAX: one of them is an array.
static unsigned total_bits(const Enumeration *e) {
  unsigned bits = 0;
  for (size_t i = 0; i < e->variables.count; i++) {
    if (sort_is_array(term_sort(e->terms, e->variables.data[i]))) return UINT32_MAX;
    bits += term_width(e->terms, e->variables.data[i]);
  }
  return bits;
}

static bool try_all(const Enumeration *e, unsigned bits, Term together, Term term, ValueSet *set) {
  assert(bits <= MOST_BITS);
  Counter counter = {.enumeration = e};
  TermValuation valuation = {.value_of = counted_value, .context = &counter};
  for (; counter.number < (uint64_t)1 << bits; counter.number++) {
    if (!term_evaluate(e->terms, together, &valuation)) continue;
    if (!add_value(set, term_evaluate(e->terms, term, &valuation), e->most)) return false;
  }
  return true;
}

static SolverAnswer ask(Enumeration *e, const Term *conditions, size_t count) {
  if (++e->since_new >= QUESTIONS_PER_SOLVER) { // a solver gets slower with every query
    solver_free(e->solver);
    e->solver = solver_new(SOLVER_AUTOMATIC, e->terms, e->account, e->budget);
    e->since_new = 0;
  }
  e->asked++;
  return solver_check(e->solver, conditions, count);
}

static bool ask_for_all(Enumeration *e, Term term, ValueSet *set) {
  for (;;) {
    SolverAnswer answer = ask(e, e->relevant.data, e->relevant.count);
    if (answer != SOLVER_SAT) return answer == SOLVER_UNSAT;
    Bits value = solver_value(e->solver, term);
    if (!add_value(set, value, e->most)) return false;
    TermVector_push(&e->relevant, term_ne(e->terms, term, term_constant(e->terms, term_width(e->terms, term), value)));
  }
}

static bool find_values(Enumeration *e, Term together, Term term, ValueSet *set) {
  unsigned bits = total_bits(e), width = term_width(e->terms, term);
  if (bits <= MOST_BITS) return try_all(e, bits, together, term, set);
  bool any = term_operator(e->terms, term) == TERM_VARIABLE && e->relevant.count == 0;
  if (any && (width > MOST_BITS || 1u << width > e->most)) return false;
  return ask_for_all(e, term, set);
}

bool enumerate_values(Enumeration *e, const Term *conditions, size_t count, Term term, TermVector *values) {
  if (e->most == 0 || sort_is_array(term_sort(e->terms, term))) return false;
  Term together = find_relevant(e, conditions, count, term);
  uint64_t key = (uint64_t)together << 32 | term, known;
  if (!map_get(&e->known, key, &known)) {
    ValueSet set = {.count = 0};
    bool few = find_values(e, together, term, &set);
    if (!few && e->budget && e->budget->reason != STOP_NONE) return false; // the solver was stopped
    known = few ? e->lists.count - 1 : UINT32_MAX;
    map_put(&e->known, key, known);
    if (few) {
      qsort(set.values, set.count, sizeof *set.values, compare_bits);
      for (unsigned i = 0; i < set.count; i++)
        TermVector_push(&e->values, term_constant(e->terms, term_width(e->terms, term), set.values[i]));
      U32Vector_push(&e->lists, (uint32_t)e->values.count);
    }
  }
  if (known == UINT32_MAX) return false;
  for (uint32_t i = e->lists.data[known]; i < e->lists.data[known + 1]; i++) TermVector_push(values, e->values.data[i]);
  return true;
}
