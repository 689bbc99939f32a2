#include "reach/domains/predicate.h"

#include "reach/refine/concretise.h"
#include "reach/tree/regrow.h"

_Static_assert((int)LABEL_TRUE == (int)CONJUNCTION_TRUE && (int)LABEL_FALSE == (int)CONJUNCTION_FALSE,
               "labels are conjunctions");

static PredicateDomain *of(Domain *domain) { return (PredicateDomain *)domain; }

// --- post ---

LabelId predicate_label_of(PredicateDomain *d, const TermVector *conjuncts) {
  LabelId label = LABEL_TRUE;
  TermVector literals;
  TermVector_init(&literals, d->account);
  for (size_t i = 0; i < conjuncts->count; i++) {
    if (term_operator(d->terms, conjuncts->data[i]) == TERM_AND)
      label = conjunction_and(&d->labels, label, conjuncts->data[i]);
    else
      TermVector_push(&literals, conjuncts->data[i]);
  }
  LabelId simple = conjunction_of(&d->labels, literals.data, literals.count);
  TermVector_free(&literals);
  return label == LABEL_TRUE ? simple : conjunction_both(&d->labels, label, simple);
}

LabelId predicate_post(PredicateDomain *d, const Move *move, const Term *also, size_t also_count) {
  const Transitions *t = explorer_transitions(d->explorer);
  const Transition *transition = &t->edges.data[move->edge];
  assert(move->before != LABEL_FALSE);
  AbstractStep step;
  abstract_step_init(&step, d->account);
  uint32_t held_count;
  step.held = conjunction_literals(&d->labels, move->before, &held_count);
  step.held_count = held_count;
  for (uint32_t i = 0; i < held_count; i++)
    TermVector_push(&step.conditions, transitions_instances(t, move->edge, step.held[i]));
  for (size_t i = 0; i < also_count; i++) TermVector_push(&step.conditions, also[i]);
  step.news = step.conditions.count;
  Term guard = move->missed ? transition->missed : transition->guard;
  if (!term_is_true(d->terms, guard)) TermVector_push(&step.conditions, guard);
  if (!move->missed) {
    for (uint32_t i = 0; i < transition->update_count; i++) {
      const Update *update = &t->updates.data[transition->first_update + i];
      map_put(&step.after, update->variable, update->value);
    }
    step.predicates = tracked_items(&d->tracking, tracking_set(&d->tracking, move->to), &step.predicate_count);
  }
  TermVector conjuncts;
  TermVector_init(&conjuncts, d->account);
  bool possible = abstraction_of(&d->abstraction, &step, d->kind, &conjuncts);
  LabelId after = possible ? predicate_label_of(d, &conjuncts) : LABEL_FALSE;
  TermVector_free(&conjuncts);
  explorer_statistics(d->explorer)->implications = d->abstraction.asked + d->implications.by_solver;
  abstract_step_free(&step);
  return after;
}

static uint32_t situation_of(PredicateDomain *d, const Move *move) {
  uint64_t key = (uint64_t)move->before << 32 | tracking_set(&d->tracking, move->to);
  uint32_t number = (uint32_t)map_get_or(&d->situations, key, NO_ID);
  if (number != NO_ID) return number;
  number = (uint32_t)d->situations.count;
  map_put(&d->situations, key, number);
  return number;
}

static void post(Domain *domain, const Move *move, U32Vector *labels) {
  PredicateDomain *d = of(domain);
  uint64_t key = (uint64_t)situation_of(d, move) << 32 | (uint64_t)move->edge << 1 | move->missed;
  LabelId after = (LabelId)map_get_or(&d->posts, key, NO_ID);
  if (after == NO_ID) {
    after = predicate_post(d, move, NULL, 0);
    if (!explorer_stopped(d->explorer)) map_put(&d->posts, key, after);
  }
  if (after != LABEL_FALSE) U32Vector_push(labels, after);
}

typedef struct InitialStep {
  AbstractStep step;
  Walk *walk;
} InitialStep;

static void put_initial(void *context, Term variable) {
  InitialStep *initial = context;
  const Transitions *t = initial->walk->transitions;
  if (term_variable_index(initial->walk->terms, variable) >= t->state_limit) return; // a parameter
  map_put(&initial->step.after, variable, walk_initial(initial->walk, variable));
}

static LabelId initial(Domain *domain) {
  PredicateDomain *d = of(domain);
  InitialStep first = {.walk = explorer_walk(d->explorer)};
  walk_reset(first.walk);
  abstract_step_init(&first.step, d->account);
  TrackedSet set = tracking_set(&d->tracking, explorer_initial_control(d->explorer));
  first.step.predicates = tracked_items(&d->tracking, set, &first.step.predicate_count);
  for (size_t i = 0; i < first.step.predicate_count; i++)
    term_each_variable(d->terms, first.step.predicates[i], put_initial, &first);
  TermVector conjuncts;
  TermVector_init(&conjuncts, d->account);
  abstraction_of(&d->abstraction, &first.step, d->kind, &conjuncts);
  LabelId label = predicate_label_of(d, &conjuncts);
  TermVector_free(&conjuncts);
  abstract_step_free(&first.step);
  return label;
}

// --- refining ---

bool predicate_track(PredicateDomain *d, Term formula, const TrackingPlace *place) {
  if (term_is_constant(d->terms, formula)) return false;
  TermOperator op = term_operator(d->terms, formula);
  if (op == TERM_AND) {
    bool first = predicate_track(d, term_child(d->terms, formula, 0), place);
    return predicate_track(d, term_child(d->terms, formula, 1), place) || first;
  }
  Term predicate = op == TERM_NOT ? term_child(d->terms, formula, 0) : formula;
  Term values = place->sums ? predicate : concretise_sum(explorer_walk(d->explorer), place->node, predicate);
  if (values != predicate) return predicate_track(d, values, place);
  if (!tracking_add_at(&d->tracking, predicate, place->control)) return false;
  map_clear(&d->situations);
  map_clear(&d->posts);
  return true;
}

void predicate_grow(PredicateDomain *d, PredicateGrowth growth) {
  TrackingPlace place = {.node = d->interpolation.node, .sums = growth != GROW_WITHOUT_SUMS};
  for (size_t i = 0; i < d->interpolation.formulas.count; i++) {
    place.control = growth == GROW_EVERYWHERE ? NO_ID : tree_node(explorer_tree(d->explorer), place.node)->control;
    predicate_track(d, d->interpolation.formulas.data[i], &place);
    place.node = tree_node(explorer_tree(d->explorer), place.node)->parent;
  }
}

bool predicate_sharpen(PredicateDomain *d) {
  if (d->kind == ABSTRACTION_BOOLEAN || explorer_options(d->explorer)->abstraction == ABSTRACT_CARTESIAN) return false;
  d->kind = ABSTRACTION_BOOLEAN;
  map_clear(&d->situations);
  map_clear(&d->posts);
  return true;
}

static PathAnswer refine(Domain *domain, NodeId goal) {
  PredicateDomain *d = of(domain);
  PathAnswer answer = interpolate_goal(&d->interpolation, goal);
  d->domain.undecided = NULL;
  if (answer != PATH_INFEASIBLE) return answer;
  explorer_statistics(d->explorer)->refinements++;
  GoalPath path;
  goal_path_open(&path, domain, d->explorer, goal);
  bool excluded = false;
  for (PredicateGrowth growth = GROW_WITHOUT_SUMS; growth <= GROW_EVERYWHERE && !excluded; growth++) {
    if (growth == GROW_EVERYWHERE && !d->tracking.local) break;
    predicate_grow(d, growth);
    excluded = goal_path_is_excluded(&path);
  }
  if (!excluded && predicate_sharpen(d)) excluded = goal_path_is_excluded(&path);
  answer = excluded ? PATH_REGROW : PATH_UNDECIDED;
  if (excluded)
    d->domain.pivot = goal_path_pivot(&path);
  else if (!explorer_stopped(d->explorer))
    d->domain.undecided = "predicates that do not exclude their path";
  goal_path_close(&path);
  return answer;
}

// --- the domain ---

// A literal that the strong label implies is one of its conjuncts. A disjunction may follow from other conjuncts, so
// the solver is asked about it, after all literals were found.
bool predicate_label_implies(PredicateDomain *d, LabelId strong, LabelId weak) {
  if (conjunction_implies(&d->labels, strong, weak)) return true;
  if (d->kind == ABSTRACTION_CARTESIAN || weak == LABEL_FALSE) return false;
  uint32_t count = d->labels.sets.data[weak].count;
  for (unsigned ask = 0; ask < 2; ask++) {
    for (uint32_t i = 0; i < count; i++) {
      uint32_t ignored;
      Term conjunct = conjunction_literals(&d->labels, weak, &ignored)[i];
      TermOperator op = term_operator(d->terms, conjunct);
      bool literal = map_contains(&d->tracking.places, op == TERM_NOT ? term_child(d->terms, conjunct, 0) : conjunct);
      if (literal == ask) continue;
      if (literal ? !conjunction_has(&d->labels, strong, conjunct)
                  : !label_implies_term(&d->implications, strong, conjunct))
        return false;
    }
  }
  return true;
}

// A part is what the label says about one predicate. A label with a disjunction has no parts.
static bool parts_of(Domain *domain, LabelId label, LabelPartVector *parts) {
  PredicateDomain *d = of(domain);
  uint32_t count;
  const Term *conjuncts = conjunction_literals(&d->labels, label, &count);
  for (uint32_t i = 0; i < count; i++) {
    bool negated = term_operator(d->terms, conjuncts[i]) == TERM_NOT;
    Term predicate = negated ? term_child(d->terms, conjuncts[i], 0) : conjuncts[i];
    if (!map_contains(&d->tracking.places, predicate)) return false;
    LabelPartVector_push(parts, (LabelPart){.about = predicate, .what = conjuncts[i]});
  }
  return true;
}

static bool covers(Domain *domain, NodeId node, NodeId coverer) {
  const Tree *tree = explorer_tree(of(domain)->explorer);
  return predicate_label_implies(of(domain), tree_node(tree, node)->label, tree_node(tree, coverer)->label);
}

static Term formula(const Domain *domain, LabelId label) {
  return conjunction_term(&((const PredicateDomain *)domain)->labels, label);
}

static void free_domain(Domain *domain) {
  PredicateDomain *d = of(domain);
  implications_free(&d->implications);
  abstraction_free(&d->abstraction);
  interpolation_free(&d->interpolation);
  map_free(&d->posts);
  map_free(&d->situations);
  tracking_free(&d->tracking);
  conjunction_table_free(&d->labels);
}

static const DomainOperations operations = {.name = "predicate",
                                            .free = free_domain,
                                            .initial = initial,
                                            .post = post,
                                            .covers = covers,
                                            .parts = parts_of,
                                            .refine = refine,
                                            .formula = formula};

void predicate_domain_init(PredicateDomain *d, Explorer *explorer) {
  *d =
      (PredicateDomain){.domain = {.operations = &operations}, .explorer = explorer, .terms = explorer_terms(explorer)};
  d->account = explorer_account(explorer);
  d->kind = explorer_options(explorer)->abstraction == ABSTRACT_BOOLEAN ? ABSTRACTION_BOOLEAN : ABSTRACTION_CARTESIAN;
  conjunction_table_init(&d->labels, d->terms, d->account);
  tracking_init(&d->tracking, explorer_controls(explorer), explorer_options(explorer)->local_precision, d->account);
  map_init(&d->situations, d->account);
  map_init(&d->posts, d->account);
  interpolation_init(&d->interpolation, explorer_feasibility(explorer), d->account);
  abstraction_init(&d->abstraction, d->terms, explorer_budget(explorer), d->account);
  implications_init(&d->implications, &d->labels, explorer_budget(explorer), d->account);
}
