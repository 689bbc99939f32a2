#include "reach/domains/abstract.h"

#include "reach/domains/cubes.h"
#include "reach/domains/fact.h"

enum { QUESTIONS_PER_SOLVER = 1000 };

typedef enum Truth { TRUTH_OPEN, TRUTH_HOLDS, TRUTH_FAILS } Truth;

void abstraction_init(Abstraction *a, TermStore *terms, Budget *budget, Account *account) {
  *a = (Abstraction){.terms = terms, .budget = budget, .account = account};
  a->solver = solver_new(SOLVER_AUTOMATIC, terms, account, budget);
  samples_init(&a->samples, terms, account);
  map_init(&a->known, account);
  map_init(&a->valid, account);
  map_init(&a->possible, account);
}

void abstraction_free(Abstraction *a) {
  map_free(&a->possible);
  map_free(&a->valid);
  map_free(&a->known);
  samples_free(&a->samples);
  solver_free(a->solver);
}

void abstract_step_init(AbstractStep *step, Account *account) {
  *step = (AbstractStep){0};
  TermVector_init(&step->conditions, account);
  map_init(&step->after, account);
}

void abstract_step_free(AbstractStep *step) {
  map_free(&step->after);
  TermVector_free(&step->conditions);
}

// --- queries ---

static SolverAnswer ask(Abstraction *a, const Term *conditions, size_t count) {
  if (++a->since_new >= QUESTIONS_PER_SOLVER) { // a solver gets slower with every query
    solver_free(a->solver);
    a->solver = solver_new(SOLVER_AUTOMATIC, a->terms, a->account, a->budget);
    a->since_new = 0;
  }
  a->asked++;
  SolverAnswer answer = solver_check(a->solver, conditions, count);
  if (answer == SOLVER_SAT) samples_add(&a->samples, a->solver, conditions, count);
  return answer;
}

bool abstraction_allows(Abstraction *a, const Term *conditions, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (term_is_false(a->terms, conditions[i])) return false;
  if (samples_refute(&a->samples, conditions, count, term_false(a->terms))) return true;
  return ask(a, conditions, count) != SOLVER_UNSAT;
}

// Do the conditions imply the value? The vector is the same after the call.
static bool implies(Abstraction *a, TermVector *conditions, Term value) {
  assert(term_width(a->terms, value) == 1);
  if (samples_refute(&a->samples, conditions->data, conditions->count, value)) return false;
  TermVector_push(conditions, term_not(a->terms, value));
  SolverAnswer answer = ask(a, conditions->data, conditions->count);
  TermVector_pop(conditions);
  return answer == SOLVER_UNSAT;
}

// What the conditions imply about the value. `together` is the conjunction of the conditions.
static Truth truth_of(Abstraction *a, TermVector *conditions, Term together, Term value) {
  if (term_is_constant(a->terms, value)) return term_is_true(a->terms, value) ? TRUTH_HOLDS : TRUTH_FAILS;
  uint64_t key = (uint64_t)together << 32 | value, known;
  if (map_get(&a->known, key, &known)) return (Truth)known;
  Truth truth = TRUTH_OPEN;
  if (implies(a, conditions, value))
    truth = TRUTH_HOLDS;
  else if (implies(a, conditions, term_not(a->terms, value)))
    truth = TRUTH_FAILS;
  if (!a->budget || a->budget->reason == STOP_NONE) map_put(&a->known, key, truth);
  return truth;
}

static bool is_valid(Abstraction *a, Term formula) {
  uint64_t known;
  if (map_get(&a->valid, formula, &known)) return known;
  TermVector none;
  TermVector_init(&none, a->account);
  bool valid = implies(a, &none, formula);
  TermVector_free(&none);
  if (!a->budget || a->budget->reason == STOP_NONE) map_put(&a->valid, formula, valid);
  return valid;
}

// --- groups of terms that share variables ---

typedef struct Work {
  Abstraction *a;
  const AbstractStep *step;
  Map facts;            // variable -> constant: the values that conditions give to single variables
  TermVector rest;      // per condition: the condition with the facts put in
  TermVector moved;     // per predicate: the predicate over the variables before the step
  TermVector values;    // per predicate: `moved` with the facts put in
  Map group_of;         // variable -> its index in `parents`
  U32Vector parents;    // union-find
  ByteVector touched;   // per root: its group contains a condition that is new or that the facts changed
  U32Vector conditions; // per condition: the root of its group; UINT32_MAX: it has no variables
  Map together;         // root -> conjunction of its conditions
  TermVector relevant;  // scratch: the conditions of a group
  uint32_t linked;      // scratch: a variable of the term that is being linked
} Work;

static uint32_t root_of(Work *w, uint32_t i) {
  assert(i < w->parents.count);
  while (w->parents.data[i] != i) i = w->parents.data[i] = w->parents.data[w->parents.data[i]];
  return i;
}

static void link_variable(void *context, Term variable) {
  Work *w = context;
  uint32_t i = (uint32_t)map_get_or(&w->group_of, variable, UINT32_MAX);
  if (i == UINT32_MAX) {
    i = (uint32_t)w->parents.count;
    U32Vector_push(&w->parents, i);
    map_put(&w->group_of, variable, i);
  }
  if (w->linked != UINT32_MAX) w->parents.data[root_of(w, i)] = root_of(w, w->linked);
  w->linked = i;
}

// Puts all variables of the term into one group. Returns one of them; UINT32_MAX: the term has no variables.
static uint32_t link_term(Work *w, Term t) {
  w->linked = UINT32_MAX;
  term_each_variable(w->a->terms, t, link_variable, w);
  return w->linked;
}

// Adds the facts that are conjuncts of the condition. True: one is new.
static bool find_facts(Work *w, Term condition) {
  TermStore *terms = w->a->terms;
  if (term_operator(terms, condition) == TERM_AND) {
    bool first = find_facts(w, term_child(terms, condition, 0));
    return find_facts(w, term_child(terms, condition, 1)) || first;
  }
  Term variable, value;
  if (!fact_read(terms, condition, &variable, &value) || map_contains(&w->facts, variable)) return false;
  map_put(&w->facts, variable, value);
  return true;
}

// Puts the facts into the conditions, and repeats this while the results contain new facts.
static void propagate(Work *w) {
  for (size_t i = 0; i < w->step->conditions.count; i++) TermVector_push(&w->rest, w->step->conditions.data[i]);
  Map cache;
  map_init(&cache, w->a->account);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < w->rest.count; i++) more |= find_facts(w, w->rest.data[i]);
    map_clear(&cache);
    for (size_t i = 0; more && i < w->rest.count; i++)
      w->rest.data[i] = term_substitute(w->a->terms, w->rest.data[i], &w->facts, &cache);
  }
  map_free(&cache);
}

// Updates the groups of the conditions and the touched groups after groups were linked.
static void mark_touched(Work *w) {
  const AbstractStep *step = w->step;
  map_clear(&w->together);
  ByteVector_clear(&w->touched);
  ByteVector_resize(&w->touched, w->parents.count);
  for (size_t i = 0; i < w->conditions.count; i++) {
    if (w->conditions.data[i] == UINT32_MAX) continue;
    w->conditions.data[i] = root_of(w, w->conditions.data[i]);
    if (i >= step->news || w->rest.data[i] != step->conditions.data[i]) w->touched.data[w->conditions.data[i]] = true;
  }
}

static void work_open(Work *w, Abstraction *a, const AbstractStep *step) {
  *w = (Work){.a = a, .step = step};
  map_init(&w->facts, a->account);
  TermVector_init(&w->rest, a->account);
  TermVector_init(&w->moved, a->account);
  TermVector_init(&w->values, a->account);
  map_init(&w->group_of, a->account);
  U32Vector_init(&w->parents, a->account);
  ByteVector_init(&w->touched, a->account);
  U32Vector_init(&w->conditions, a->account);
  map_init(&w->together, a->account);
  TermVector_init(&w->relevant, a->account);
  propagate(w);
  for (size_t i = 0; i < w->rest.count; i++) U32Vector_push(&w->conditions, link_term(w, w->rest.data[i]));
  mark_touched(w);
}

static void work_close(Work *w) {
  TermVector_free(&w->relevant);
  map_free(&w->together);
  U32Vector_free(&w->conditions);
  ByteVector_free(&w->touched);
  U32Vector_free(&w->parents);
  map_free(&w->group_of);
  TermVector_free(&w->values);
  TermVector_free(&w->moved);
  TermVector_free(&w->rest);
  map_free(&w->facts);
}

static void find_variable(void *context, Term variable) {
  Work *w = context;
  w->linked = (uint32_t)map_get_or(&w->group_of, variable, w->linked);
}

// The root of a linked term's group; UINT32_MAX: it has no variables.
static uint32_t group_of_term(Work *w, Term t) {
  w->linked = UINT32_MAX;
  term_each_variable(w->a->terms, t, find_variable, w);
  return w->linked == UINT32_MAX ? UINT32_MAX : root_of(w, w->linked);
}

// Puts the conditions of the group into `relevant`; returns their conjunction.
static Term take_conditions(Work *w, uint32_t group) {
  TermVector_clear(&w->relevant);
  for (size_t i = 0; i < w->conditions.count; i++)
    if (w->conditions.data[i] == group) TermVector_push(&w->relevant, w->rest.data[i]);
  uint64_t known;
  if (map_get(&w->together, group, &known)) return (Term)known;
  Term together = term_true(w->a->terms);
  for (size_t i = 0; i < w->relevant.count; i++) together = term_and(w->a->terms, together, w->relevant.data[i]);
  map_put(&w->together, group, together);
  return together;
}

// Are the conditions satisfiable together, provided that those that are not new are?
static bool is_possible(Work *w) {
  Abstraction *a = w->a;
  for (size_t i = 0; i < w->rest.count; i++)
    if (term_is_false(a->terms, w->rest.data[i])) return false;
  for (size_t i = 0; i < w->conditions.count; i++) {
    uint32_t group = w->conditions.data[i];
    if (group == UINT32_MAX || !w->touched.data[group] || map_contains(&w->together, group)) continue;
    Term together = take_conditions(w, group);
    uint64_t possible;
    if (!map_get(&a->possible, together, &possible)) {
      possible = abstraction_allows(a, w->relevant.data, w->relevant.count);
      if (!a->budget || a->budget->reason == STOP_NONE) map_put(&a->possible, together, possible);
    }
    if (!possible) return false;
  }
  return true;
}

// Computes the values of the predicates. Each value links the groups of its variables.
static void find_values(Work *w) {
  const AbstractStep *step = w->step;
  Map cache, fact_cache;
  map_init(&cache, w->a->account);
  map_init(&fact_cache, w->a->account);
  for (size_t i = 0; i < step->predicate_count; i++) {
    Term moved = term_substitute(w->a->terms, step->predicates[i], &step->after, &cache);
    TermVector_push(&w->moved, moved);
    TermVector_push(&w->values, term_substitute(w->a->terms, moved, &w->facts, &fact_cache));
  }
  map_free(&fact_cache);
  map_free(&cache);
  for (size_t i = 0; i < w->values.count; i++) link_term(w, w->values.data[i]);
  mark_touched(w);
}

// --- Cartesian ---

// Was the conjunct known before the step?
static bool was_held(const AbstractStep *step, Term conjunct) {
  for (size_t i = 0; i < step->held_count; i++)
    if (step->held[i] == conjunct) return true;
  return false;
}

static Truth truth_after(Work *w, size_t predicate) {
  TermStore *terms = w->a->terms;
  Term p = w->step->predicates[predicate], value = w->values.data[predicate];
  bool stays = w->moved.data[predicate] == p || value == p;
  if (stays && was_held(w->step, p)) return TRUTH_HOLDS;
  if (stays && was_held(w->step, term_not(terms, p))) return TRUTH_FAILS;
  uint32_t group = group_of_term(w, value);
  if (value == p && group != UINT32_MAX && !w->touched.data[group]) return TRUTH_OPEN; // nothing new was learned
  Term together = group == UINT32_MAX ? term_true(terms) : take_conditions(w, group);
  if (group == UINT32_MAX) TermVector_clear(&w->relevant);
  return truth_of(w->a, &w->relevant, together, value);
}

// --- boolean ---

// The predicates of one group whose truth is open.
typedef struct OpenGroup {
  uint32_t group;
  size_t members[MOST_CUBE_BITS]; // indices of predicates
  unsigned count;                 // may be larger than MOST_CUBE_BITS: the group is too large then
  bool changes;                   // one of the predicates changes, or the group is touched
} OpenGroup;

// The disjunction of cubes, over the predicates.
static Term formula_of(Work *w, const OpenGroup *open, const Cubes *cubes) {
  TermStore *terms = w->a->terms;
  assert(cubes->bits == open->count);
  Term all = term_false(terms);
  for (unsigned i = 0; i < cubes->count; i++) {
    Term cube = term_true(terms);
    for (unsigned k = 0; k < open->count; k++) {
      if (!(cubes->cubes[i].care >> k & 1)) continue;
      Term p = w->step->predicates[open->members[k]];
      cube = term_and(terms, cube, cubes->cubes[i].value >> k & 1 ? p : term_not(terms, p));
    }
    all = term_or(terms, all, cube);
  }
  return all;
}

// Adds to `relevant` the condition that the values of the predicates differ from the vector.
static void block(Work *w, const OpenGroup *open, uint16_t vector) {
  TermStore *terms = w->a->terms;
  Term other = term_false(terms);
  for (unsigned k = 0; k < open->count; k++) {
    Term value = w->values.data[open->members[k]];
    other = term_or(terms, other, vector >> k & 1 ? term_not(terms, value) : value);
  }
  TermVector_push(&w->relevant, other);
}

typedef struct VectorFinder {
  Work *work;
  const OpenGroup *open;
  Cubes *found;
} VectorFinder;

static void add_sample(void *context, Model *model) {
  VectorFinder *f = context;
  uint16_t vector = 0;
  for (unsigned k = 0; k < f->open->count; k++)
    if (model_value(model, f->work->values.data[f->open->members[k]])) vector |= (uint16_t)(1u << k);
  cubes_add_vector(f->found, vector);
}

static uint16_t vector_of_solver(Work *w, const OpenGroup *open) {
  uint16_t vector = 0;
  for (unsigned k = 0; k < open->count; k++)
    if (solver_holds(w->a->solver, w->values.data[open->members[k]])) vector |= (uint16_t)(1u << k);
  return vector;
}

// Finds all truth vectors that the conditions allow. False: there are too many, or the solver does not know.
static bool find_vectors(Work *w, const OpenGroup *open, Cubes *found) {
  assert(open->count <= MOST_CUBE_BITS);
  take_conditions(w, open->group);
  cubes_init(found, open->count);
  VectorFinder finder = {.work = w, .open = open, .found = found};
  samples_each(&w->a->samples, w->relevant.data, w->relevant.count, add_sample, &finder);
  for (unsigned i = 0; i < found->count; i++) block(w, open, found->cubes[i].value);
  while (!found->too_many) {
    SolverAnswer answer = ask(w->a, w->relevant.data, w->relevant.count);
    if (answer == SOLVER_UNSAT) return true;
    if (answer == SOLVER_UNKNOWN) return false;
    uint16_t vector = vector_of_solver(w, open);
    bool added = cubes_add_vector(found, vector);
    assert(added || found->too_many);
    if (added) block(w, open, vector);
  }
  return false;
}

static bool is_predicate(const Work *w, Term t) {
  for (size_t i = 0; i < w->step->predicate_count; i++)
    if (w->step->predicates[i] == t) return true;
  return false;
}

// Is the formula a boolean combination of the predicates?
static bool is_over_predicates(const Work *w, Term t) {
  const TermStore *terms = w->a->terms;
  if (is_predicate(w, t)) return true;
  for (unsigned i = 0; i < term_arity(terms, t); i++) {
    Term child = term_child(terms, t, i);
    if (term_sort(terms, child) != sort_bits(1) || !is_over_predicates(w, child)) return false;
  }
  return term_arity(terms, t) > 0;
}

// Keeps the disjunctions over the group's predicates that held before and that the step does not change.
static void keep_disjunctions(Work *w, uint32_t group, TermVector *conjuncts) {
  for (size_t i = 0; i < w->step->held_count; i++) {
    Term held = w->step->held[i];
    if (is_predicate(w, held) || is_predicate(w, term_not(w->a->terms, held))) continue;
    if (group_of_term(w, held) != group || !is_over_predicates(w, held)) continue;
    if (term_substitute(w->a->terms, held, &w->step->after, NULL) == held) TermVector_push(conjuncts, held);
  }
}

// Appends what boolean abstraction adds for one group.
static void abstract_group(Work *w, const OpenGroup *open, TermVector *conjuncts) {
  assert(open->count > 0);
  Cubes cubes;
  if (!open->changes || open->count < 2 || open->count > MOST_CUBE_BITS || !find_vectors(w, open, &cubes)) {
    keep_disjunctions(w, open->group, conjuncts);
    return;
  }
  if (cubes.count == 1u << open->count) return;
  cubes_minimise(&cubes);
  Term formula = formula_of(w, open, &cubes);
  if (!term_is_constant(w->a->terms, formula) && !is_valid(w->a, formula)) TermVector_push(conjuncts, formula);
}

static void abstract_groups(Work *w, const ByteVector *truths, TermVector *conjuncts) {
  const AbstractStep *step = w->step;
  Map seen; // groups
  map_init(&seen, w->a->account);
  for (size_t i = 0; i < step->predicate_count; i++) {
    if (truths->data[i] != TRUTH_OPEN) continue;
    OpenGroup open = {.group = group_of_term(w, w->values.data[i])};
    if (open.group == UINT32_MAX || map_contains(&seen, open.group)) continue;
    map_put(&seen, open.group, 1);
    open.changes = w->touched.data[open.group];
    for (size_t k = i; k < step->predicate_count; k++) {
      if (truths->data[k] != TRUTH_OPEN || group_of_term(w, w->values.data[k]) != open.group) continue;
      open.changes |= w->moved.data[k] != step->predicates[k];
      if (open.count < MOST_CUBE_BITS) open.members[open.count] = k;
      open.count++;
    }
    abstract_group(w, &open, conjuncts);
  }
  map_free(&seen);
}

bool abstraction_of(Abstraction *a, const AbstractStep *step, AbstractionKind kind, TermVector *conjuncts) {
  assert(step->news <= step->conditions.count);
  if (step->predicate_count == 0 && step->news == step->conditions.count) return true;
  Work w;
  work_open(&w, a, step);
  if (!is_possible(&w)) {
    work_close(&w);
    return false;
  }
  find_values(&w);
  ByteVector truths;
  ByteVector_init(&truths, a->account);
  for (size_t i = 0; i < step->predicate_count; i++) {
    Truth truth = truth_after(&w, i);
    ByteVector_push(&truths, (uint8_t)truth);
    if (truth == TRUTH_OPEN) continue;
    Term p = step->predicates[i];
    TermVector_push(conjuncts, truth == TRUTH_HOLDS ? p : term_not(a->terms, p));
  }
  if (kind == ABSTRACTION_BOOLEAN) abstract_groups(&w, &truths, conjuncts);
  ByteVector_free(&truths);
  work_close(&w);
  return true;
}
