#include "reach/predicate.h"

#include "reach/regrow.h"

_Static_assert((int)LABEL_TRUE == (int)CONJUNCTION_TRUE && (int)LABEL_FALSE == (int)CONJUNCTION_FALSE,
               "labels are conjunctions");

static PredicateDomain *of(Domain *domain) { return (PredicateDomain *)domain; }

// --- post ---

// What holds before the edge, and its guard; the variables' values after it.
typedef struct PostStep {
  PredicateDomain *d;
  TermVector conditions;
  Map after, cache;
} PostStep;

static bool is_impossible(PostStep *step, Term also) {
  PredicateDomain *d = step->d;
  if (term_is_constant(d->terms, also) && term_is_false(d->terms, also)) return true;
  if (samples_refute(&d->samples, step->conditions.data, step->conditions.count, term_not(d->terms, also)))
    return false;
  TermVector_push(&step->conditions, also);
  SolverAnswer answer = solver_check(d->solver, step->conditions.data, step->conditions.count);
  if (answer == SOLVER_SAT) samples_add(&d->samples, d->solver, step->conditions.data, step->conditions.count);
  TermVector_pop(&step->conditions);
  d->explorer->statistics.implications++;
  return answer == SOLVER_UNSAT;
}

static bool label_says(const PredicateDomain *d, LabelId label, Term literal) {
  uint32_t count;
  const Term *literals = conjunction_literals(&d->labels, label, &count);
  for (uint32_t i = 0; i < count; i++)
    if (literals[i] == literal) return true;
  return false;
}

// What is known of a predicate after the step: itself, its negation, or nothing (true).
static Term predicate_after(PostStep *step, LabelId before, Term predicate, bool unguarded) {
  PredicateDomain *d = step->d;
  Term negation = term_not(d->terms, predicate);
  Term value = term_substitute(d->terms, predicate, &step->after, &step->cache);
  if (value == predicate) {
    if (label_says(d, before, predicate)) return predicate;
    if (label_says(d, before, negation)) return negation;
    if (unguarded) return term_true(d->terms); // nothing new was learned
  }
  if (is_impossible(step, term_not(d->terms, value))) return predicate;
  return is_impossible(step, value) ? negation : term_true(d->terms);
}

LabelId predicate_post(PredicateDomain *d, LabelId before, const Term *also, size_t also_count, EdgeId edge,
                       bool missed) {
  const Transitions *t = &d->explorer->transitions;
  const Transition *transition = &t->edges.data[edge];
  PostStep step = {.d = d};
  TermVector_init(&step.conditions, d->account);
  map_init(&step.after, d->account);
  map_init(&step.cache, d->account);
  uint32_t count;
  const Term *literals = conjunction_literals(&d->labels, before, &count);
  for (uint32_t i = 0; i < count; i++) TermVector_push(&step.conditions, transitions_instances(t, edge, literals[i]));
  for (size_t i = 0; i < also_count; i++) TermVector_push(&step.conditions, also[i]);
  Term guard = missed ? transition->missed : transition->guard;
  LabelId after = LABEL_TRUE;
  if (!term_is_true(d->terms, guard) && is_impossible(&step, guard)) {
    after = LABEL_FALSE;
  } else if (!missed) {
    TermVector_push(&step.conditions, guard);
    for (uint32_t i = 0; i < transition->update_count; i++) {
      const Update *update = &t->updates.data[transition->first_update + i];
      map_put(&step.after, update->variable, update->value);
    }
    TermVector after_it;
    TermVector_init(&after_it, d->account);
    for (size_t i = 0; i < d->predicates.count; i++)
      TermVector_push(&after_it, predicate_after(&step, before, d->predicates.data[i], term_is_true(d->terms, guard)));
    after = conjunction_of(&d->labels, after_it.data, after_it.count);
    TermVector_free(&after_it);
  }
  map_free(&step.cache);
  map_free(&step.after);
  TermVector_free(&step.conditions);
  return after;
}

static void post(Domain *domain, const Move *move, U32Vector *labels) {
  PredicateDomain *d = of(domain);
  uint64_t key = (uint64_t)move->before << 32 | (uint64_t)move->edge << 1 | move->missed;
  LabelId after = (LabelId)map_get_or(&d->posts, key, NO_ID);
  if (after == NO_ID) {
    after = predicate_post(d, move->before, NULL, 0, move->edge, move->missed);
    if (d->explorer->budget->reason == STOP_NONE) map_put(&d->posts, key, after);
  }
  if (after != LABEL_FALSE) U32Vector_push(labels, after);
}

static LabelId initial(Domain *domain) {
  PredicateDomain *d = of(domain);
  LabelId label = LABEL_TRUE;
  Walk *walk = &d->explorer->feasibility.walk;
  for (size_t i = 0; i < d->predicates.count; i++) {
    walk_reset(walk);
    Term value = walk_value(walk, d->predicates.data[i]), negation = term_not(d->terms, value);
    if (term_is_constant(d->terms, value)) {
      bool holds = !term_is_false(d->terms, value);
      Term literal = holds ? d->predicates.data[i] : term_not(d->terms, d->predicates.data[i]);
      label = conjunction_and(&d->labels, label, literal);
    } else if (solver_check(d->solver, &negation, 1) == SOLVER_UNSAT) {
      label = conjunction_and(&d->labels, label, d->predicates.data[i]);
    }
  }
  return label;
}

// --- refining ---

// The conjuncts of a formula become predicates; a predicate and its negation are one.
static void track(PredicateDomain *d, Term formula) {
  if (term_is_constant(d->terms, formula)) return;
  TermOperator op = term_operator(d->terms, formula);
  if (op == TERM_AND) {
    track(d, term_child(d->terms, formula, 0));
    track(d, term_child(d->terms, formula, 1));
    return;
  }
  Term predicate = op == TERM_NOT ? term_child(d->terms, formula, 0) : formula;
  if (map_contains(&d->is_predicate, predicate)) return;
  map_put(&d->is_predicate, predicate, 1);
  TermVector_push(&d->predicates, predicate);
  map_clear(&d->posts);
}

void predicate_grow(PredicateDomain *d) {
  for (size_t i = 0; i < d->interpolation.formulas.count; i++) track(d, d->interpolation.formulas.data[i]);
}

static PathAnswer refine(Domain *domain, NodeId goal) {
  PredicateDomain *d = of(domain);
  PathAnswer answer = interpolate_goal(&d->interpolation, goal);
  d->domain.undecided = NULL;
  if (answer != PATH_INFEASIBLE) return answer;
  d->explorer->statistics.refinements++;
  predicate_grow(d);
  GoalPath path;
  goal_path_open(&path, domain, d->explorer, goal);
  answer = PATH_REGROW;
  if (goal_path_is_excluded(&path)) {
    d->domain.pivot = goal_path_pivot(&path);
  } else {
    answer = PATH_UNDECIDED;
    if (d->explorer->budget->reason == STOP_NONE) d->domain.undecided = "predicates that do not exclude their path";
  }
  goal_path_close(&path);
  return answer;
}

// --- the domain ---

static bool covers(Domain *domain, NodeId node, NodeId coverer) {
  const Tree *tree = &of(domain)->explorer->tree;
  return conjunction_implies(&of(domain)->labels, tree_node(tree, node)->label, tree_node(tree, coverer)->label);
}

static Term formula(const Domain *domain, LabelId label) {
  return conjunction_term(&((const PredicateDomain *)domain)->labels, label);
}

static void free_domain(Domain *domain) {
  PredicateDomain *d = of(domain);
  samples_free(&d->samples);
  solver_free(d->solver);
  interpolation_free(&d->interpolation);
  map_free(&d->posts);
  map_free(&d->is_predicate);
  TermVector_free(&d->predicates);
  conjunction_table_free(&d->labels);
}

static const DomainOperations operations = {.name = "predicate",
                                            .free = free_domain,
                                            .initial = initial,
                                            .post = post,
                                            .covers = covers,
                                            .refine = refine,
                                            .formula = formula};

void predicate_domain_init(PredicateDomain *d, Explorer *explorer) {
  *d = (PredicateDomain){.domain = {.operations = &operations}, .explorer = explorer, .terms = explorer->terms};
  d->account = explorer->account;
  conjunction_table_init(&d->labels, d->terms, d->account);
  TermVector_init(&d->predicates, d->account);
  map_init(&d->is_predicate, d->account);
  map_init(&d->posts, d->account);
  interpolation_init(&d->interpolation, &explorer->feasibility, d->account);
  d->solver = solver_new(SOLVER_AUTOMATIC, d->terms, d->account, explorer->budget);
  samples_init(&d->samples, d->terms, d->account);
}
