#include "reach/explicit.h"

#include "reach/regrow.h"

_Static_assert((int)LABEL_TRUE == (int)CONJUNCTION_TRUE && (int)LABEL_FALSE == (int)CONJUNCTION_FALSE,
               "labels are conjunctions");

static ExplicitDomain *of(Domain *domain) { return (ExplicitDomain *)domain; }

bool explicit_tracks(const ExplicitDomain *d, Term variable) { return map_get_or(&d->tracked, variable, 0) != 0; }

// --- facts ---

// A literal as `variable == constant`; false: it is none. A variable of width 1 is its own literal.
static bool read_fact(const TermStore *terms, Term literal, Term *variable, Bits *value) {
  bool negated = term_operator(terms, literal) == TERM_NOT;
  Term inside = negated ? term_child(terms, literal, 0) : literal;
  if (term_operator(terms, inside) == TERM_VARIABLE) {
    *variable = inside;
    *value = !negated;
    return true;
  }
  if (negated || term_operator(terms, inside) != TERM_EQ) return false;
  Term a = term_child(terms, inside, 0), b = term_child(terms, inside, 1);
  if (term_is_constant(terms, a)) {
    Term other = a;
    a = b;
    b = other;
  }
  if (term_operator(terms, a) != TERM_VARIABLE || !term_is_constant(terms, b)) return false;
  *variable = a;
  *value = term_constant_value(terms, b);
  return true;
}

static Term fact(ExplicitDomain *d, Term variable, Term value) { return term_eq(d->terms, variable, value); }

// Puts what the label says into `known`.
static void know_label(ExplicitDomain *d, LabelId label) {
  map_clear(&d->known);
  map_clear(&d->cache);
  uint32_t count;
  const Term *literals = conjunction_literals(&d->labels, label, &count);
  for (uint32_t i = 0; i < count; i++) {
    Term variable = TERM_NONE;
    Bits value = 0;
    bool is_fact = read_fact(d->terms, literals[i], &variable, &value);
    assert(is_fact);
    (void)is_fact;
    map_put(&d->known, variable, term_constant(d->terms, term_width(d->terms, variable), value));
  }
}

static Term evaluate(ExplicitDomain *d, Term t) { return term_substitute(d->terms, t, &d->known, &d->cache); }

// What a condition that holds says of single variables. True if something new came of it.
static bool learn(ExplicitDomain *d, Term condition) {
  if (term_operator(d->terms, condition) == TERM_AND) {
    bool first = learn(d, term_child(d->terms, condition, 0));
    return learn(d, term_child(d->terms, condition, 1)) || first;
  }
  Term variable;
  Bits value;
  if (!read_fact(d->terms, condition, &variable, &value) || map_contains(&d->known, variable)) return false;
  if (!explicit_tracks(d, variable)) return false;
  map_put(&d->known, variable, term_constant(d->terms, term_width(d->terms, variable), value));
  map_clear(&d->cache);
  return true;
}

// The condition in what is known, and what is learned from it. False: it cannot hold.
static bool assume(ExplicitDomain *d, Term condition) {
  for (bool more = true; more;) {
    condition = evaluate(d, condition);
    if (term_is_false(d->terms, condition)) return false;
    more = learn(d, condition);
  }
  return true;
}

// --- post ---

// Facts of the label before, and what was learned from the guard, but for what changes; then the changes.
static LabelId label_of_known(ExplicitDomain *d, const Transition *transition, const TermVector *values) {
  Map changed;
  map_init(&changed, d->account);
  const Update *updates = d->explorer->transitions.updates.data + transition->first_update;
  for (uint32_t i = 0; i < transition->update_count; i++) map_put(&changed, updates[i].variable, 1);
  TermVector facts;
  TermVector_init(&facts, d->account);
  for (size_t i = 0; i < d->known.capacity; i++) {
    const MapEntry *entry = &d->known.entries[i];
    if (!entry->used || map_contains(&changed, entry->key)) continue;
    if (explicit_tracks(d, (Term)entry->key)) TermVector_push(&facts, fact(d, (Term)entry->key, (Term)entry->value));
  }
  for (uint32_t i = 0; i < transition->update_count; i++)
    if (explicit_tracks(d, updates[i].variable) && term_is_constant(d->terms, values->data[i]))
      TermVector_push(&facts, fact(d, updates[i].variable, values->data[i]));
  LabelId label = conjunction_of(&d->labels, facts.data, facts.count);
  TermVector_free(&facts);
  map_free(&changed);
  return label;
}

LabelId explicit_post(ExplicitDomain *d, LabelId before, const Term *also, size_t count, EdgeId edge, bool missed) {
  const Transition *transition = &d->explorer->transitions.edges.data[edge];
  know_label(d, before);
  for (size_t i = 0; i < count; i++)
    if (!assume(d, also[i])) return LABEL_FALSE;
  if (missed) return assume(d, transition->missed) ? LABEL_TRUE : LABEL_FALSE;
  if (!assume(d, transition->guard)) return LABEL_FALSE;
  TermVector values;
  TermVector_init(&values, d->account);
  const Update *updates = d->explorer->transitions.updates.data + transition->first_update;
  for (uint32_t i = 0; i < transition->update_count; i++) {
    bool wanted = explicit_tracks(d, updates[i].variable);
    TermVector_push(&values, wanted ? evaluate(d, updates[i].value) : updates[i].value);
  }
  LabelId after = label_of_known(d, transition, &values);
  TermVector_free(&values);
  return after;
}

static void post(Domain *domain, const Move *move, U32Vector *labels) {
  LabelId after = explicit_post(of(domain), move->before, NULL, 0, move->edge, move->missed);
  if (after != LABEL_FALSE) U32Vector_push(labels, after);
}

static LabelId initial(Domain *domain) {
  ExplicitDomain *d = of(domain);
  TermVector facts;
  TermVector_init(&facts, d->account);
  for (size_t i = 0; i < d->tracked.capacity; i++) {
    const MapEntry *entry = &d->tracked.entries[i];
    if (!entry->used || !entry->value) continue;
    Term value = transitions_initial(&d->explorer->transitions, (Term)entry->key);
    if (value != TERM_NONE && term_is_constant(d->terms, value))
      TermVector_push(&facts, fact(d, (Term)entry->key, value));
  }
  LabelId label = conjunction_of(&d->labels, facts.data, facts.count);
  TermVector_free(&facts);
  return label;
}

// --- refining ---

static void add_candidate(void *context, Term variable) {
  ExplicitDomain *d = context;
  if (term_variable_index(d->terms, variable) >= d->explorer->transitions.state_limit) return;
  if (!explicit_tracks(d, variable)) map_put(&d->tracked, variable, 1);
}

// All variables on the path that could matter: those of guards and of what is assigned.
static void add_candidates(ExplicitDomain *d, const GoalPath *path, TermVector *candidates) {
  Map before;
  map_init(&before, d->account);
  for (size_t i = 0; i < d->tracked.capacity; i++)
    if (d->tracked.entries[i].used && d->tracked.entries[i].value) map_put(&before, d->tracked.entries[i].key, 1);
  const Transitions *t = &d->explorer->transitions;
  for (size_t i = 0; i < path->edges.count; i++) {
    const Transition *transition = &t->edges.data[path->edges.data[i]];
    term_each_variable(d->terms, transition->guard, add_candidate, d);
    if (transition->missed != TERM_NONE) term_each_variable(d->terms, transition->missed, add_candidate, d);
    for (uint32_t k = 0; k < transition->update_count; k++) {
      const Update *update = &t->updates.data[transition->first_update + k];
      add_candidate(d, update->variable);
      term_each_variable(d->terms, update->value, add_candidate, d);
    }
  }
  for (size_t i = 0; i < d->tracked.capacity; i++) {
    const MapEntry *entry = &d->tracked.entries[i];
    if (entry->used && entry->value && !map_contains(&before, entry->key))
      TermVector_push(candidates, (Term)entry->key);
  }
  map_free(&before);
}

static void track(ExplicitDomain *d, const TermVector *variables, size_t from, size_t to, bool yes) {
  for (size_t i = from; i < to; i++) map_put(&d->tracked, variables->data[i], yes);
}

// Leaves out candidates that are not needed, in halves: most are not.
static void leave_out(ExplicitDomain *d, const GoalPath *path, const TermVector *candidates, size_t from, size_t to) {
  if (from == to) return;
  track(d, candidates, from, to, false);
  if (goal_path_is_excluded(path)) return;
  track(d, candidates, from, to, true);
  if (to - from == 1) return;
  size_t middle = from + (to - from) / 2;
  leave_out(d, path, candidates, from, middle);
  leave_out(d, path, candidates, middle, to);
}

bool explicit_grow(ExplicitDomain *d, const GoalPath *path) {
  GoalPath mine = *path;
  mine.domain = &d->domain;
  TermVector candidates;
  TermVector_init(&candidates, d->account);
  add_candidates(d, &mine, &candidates);
  bool excluded = goal_path_is_excluded(&mine);
  if (excluded)
    leave_out(d, &mine, &candidates, 0, candidates.count);
  else
    track(d, &candidates, 0, candidates.count, false);
  TermVector_free(&candidates);
  return excluded;
}

static PathAnswer refine(Domain *domain, NodeId goal) {
  ExplicitDomain *d = of(domain);
  PathAnswer answer = goal_check(&d->explorer->feasibility, goal, NULL);
  d->domain.undecided = NULL;
  if (answer != PATH_INFEASIBLE) return answer;
  d->explorer->statistics.refinements++;
  GoalPath path;
  goal_path_open(&path, domain, d->explorer, goal);
  answer = explicit_grow(d, &path) ? PATH_REGROW : PATH_UNDECIDED;
  if (answer == PATH_REGROW)
    d->domain.pivot = goal_path_pivot(&path);
  else
    d->domain.undecided = "a path that the values of variables do not exclude";
  goal_path_close(&path);
  return answer;
}

// --- the domain ---

static bool covers(Domain *domain, NodeId node, NodeId coverer) {
  const Tree *tree = &of(domain)->explorer->tree;
  return conjunction_implies(&of(domain)->labels, tree_node(tree, node)->label, tree_node(tree, coverer)->label);
}

// The set of the variables whose values are known; sums do not depend on the order.
static uint64_t shape(Domain *domain, LabelId label) {
  ExplicitDomain *d = of(domain);
  uint64_t sum = 0;
  uint32_t count;
  const Term *literals = conjunction_literals(&d->labels, label, &count);
  for (uint32_t i = 0; i < count; i++) {
    Term variable = TERM_NONE;
    Bits value;
    if (read_fact(d->terms, literals[i], &variable, &value)) sum += hash_bytes(&variable, sizeof variable);
  }
  return sum;
}

static Term formula(const Domain *domain, LabelId label) {
  return conjunction_term(&((const ExplicitDomain *)domain)->labels, label);
}

static void free_domain(Domain *domain) {
  ExplicitDomain *d = of(domain);
  map_free(&d->cache);
  map_free(&d->known);
  map_free(&d->tracked);
  conjunction_table_free(&d->labels);
}

static const DomainOperations operations = {.name = "explicit",
                                            .free = free_domain,
                                            .initial = initial,
                                            .post = post,
                                            .covers = covers,
                                            .shape = shape,
                                            .refine = refine,
                                            .formula = formula};

void explicit_domain_init(ExplicitDomain *d, Explorer *explorer) {
  *d = (ExplicitDomain){.domain = {.operations = &operations}, .explorer = explorer, .terms = explorer->terms};
  d->account = explorer->account;
  conjunction_table_init(&d->labels, d->terms, d->account);
  map_init(&d->tracked, d->account);
  map_init(&d->known, d->account);
  map_init(&d->cache, d->account);
}
