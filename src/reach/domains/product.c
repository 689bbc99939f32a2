#include "reach/domains/product.h"

#include "reach/tree/regrow.h"

static ProductDomain *of(Domain *domain) { return (ProductDomain *)domain; }

// --- pairs ---

static LabelId pair(ProductDomain *d, LabelId values, LabelId predicates) {
  if (values == LABEL_FALSE || predicates == LABEL_FALSE) return LABEL_FALSE;
  uint64_t key = (uint64_t)values << 32 | predicates, known;
  if (map_get(&d->known, key, &known)) return (LabelId)known;
  LabelId label = (LabelId)d->pairs.count;
  LabelPairVector_push(&d->pairs, (LabelPair){.values = values, .predicates = predicates});
  map_put(&d->known, key, label);
  return label;
}

static LabelId initial(Domain *domain) {
  ProductDomain *d = of(domain);
  LabelId values = d->values.domain.operations->initial(&d->values.domain);
  return pair(d, values, d->predicates.domain.operations->initial(&d->predicates.domain));
}

// The condition of each branch of the values is a condition for the predicates.
static void compute_post(ProductDomain *d, const Move *move, U32Vector *labels) {
  assert(move->before != LABEL_FALSE && move->before < d->pairs.count);
  LabelPair before = d->pairs.data[move->before];
  Move part = *move;
  uint32_t count;
  ValueBranchVector branches;
  TermVector also;
  ValueBranchVector_init(&branches, d->account);
  TermVector_init(&also, d->account);
  const Term *predicates = conjunction_literals(&d->predicates.labels, before.predicates, &count);
  part.before = before.values;
  explicit_post(&d->values, &part, predicates, count, &branches);
  const Term *facts = conjunction_literals(&d->values.labels, before.values, &count);
  for (uint32_t i = 0; i < count; i++) TermVector_push(&also, facts[i]);
  part.before = before.predicates;
  for (size_t i = 0; i < branches.count; i++) {
    TermVector_push(&also, branches.data[i].condition);
    LabelId after = pair(d, branches.data[i].label, predicate_post(&d->predicates, &part, also.data, also.count));
    TermVector_pop(&also);
    if (after != LABEL_FALSE) U32Vector_push(labels, after);
  }
  TermVector_free(&also);
  ValueBranchVector_free(&branches);
}

static uint32_t number_of(Map *numbers, uint64_t key) {
  uint32_t number = (uint32_t)map_get_or(numbers, key, NO_ID);
  if (number != NO_ID) return number;
  map_put(numbers, key, numbers->count);
  return (uint32_t)numbers->count - 1;
}

// A number for what the post depends on, except the edge.
static uint32_t situation_of(ProductDomain *d, const Move *move) {
  uint64_t values = tracking_set(&d->values.tracking, move->to);
  uint64_t predicates = tracking_set(&d->predicates.tracking, move->to);
  uint64_t tracked = number_of(&d->tracked, values << 32 | predicates);
  return number_of(&d->situations, (uint64_t)move->before << 32 | tracked);
}

static void post(Domain *domain, const Move *move, U32Vector *labels) {
  ProductDomain *d = of(domain);
  uint64_t key = (uint64_t)situation_of(d, move) << 32 | (uint64_t)move->edge << 1 | move->missed, list;
  if (!map_get(&d->posts, key, &list)) {
    size_t first = labels->count;
    compute_post(d, move, labels);
    if (explorer_stopped(d->explorer)) return;
    map_put(&d->posts, key, d->lists.count - 1);
    for (size_t i = first; i < labels->count; i++) U32Vector_push(&d->found, labels->data[i]);
    U32Vector_push(&d->lists, (uint32_t)d->found.count);
    return;
  }
  for (uint32_t i = d->lists.data[list]; i < d->lists.data[list + 1]; i++) U32Vector_push(labels, d->found.data[i]);
}

// Forgets all remembered posts after the precision changed.
static void forget_posts(ProductDomain *d) {
  map_clear(&d->tracked);
  map_clear(&d->situations);
  map_clear(&d->posts);
  U32Vector_clear(&d->found);
  U32Vector_clear(&d->lists);
  U32Vector_push(&d->lists, 0);
}

static bool covers(Domain *domain, NodeId node, NodeId coverer) {
  ProductDomain *d = of(domain);
  LabelPair strong = d->pairs.data[explorer_label(d->explorer, node)];
  LabelPair weak = d->pairs.data[explorer_label(d->explorer, coverer)];
  return conjunction_implies(&d->values.labels, strong.values, weak.values) &&
         predicate_label_implies(&d->predicates, strong.predicates, weak.predicates);
}

// The parts of both labels. Bit 32 distinguishes the subjects of values from those of predicates.
static bool parts_of(Domain *domain, LabelId label, LabelPartVector *parts) {
  ProductDomain *d = of(domain);
  LabelPair both = d->pairs.data[label];
  size_t first = parts->count;
  bool have = d->values.domain.operations->parts(&d->values.domain, both.values, parts);
  for (size_t i = first; i < parts->count; i++) parts->data[i].about |= UINT64_C(1) << 32;
  return have && d->predicates.domain.operations->parts(&d->predicates.domain, both.predicates, parts);
}

static Term formula(const Domain *domain, LabelId label) {
  const ProductDomain *d = (const ProductDomain *)domain;
  LabelPair both = d->pairs.data[label];
  Term values = conjunction_term(&d->values.labels, both.values);
  return term_and(explorer_terms(d->explorer), values, conjunction_term(&d->predicates.labels, both.predicates));
}

// --- refining ---

static PathAnswer refine(Domain *domain, NodeId goal) {
  ProductDomain *d = of(domain);
  PathAnswer answer = goal_check(explorer_feasibility(d->explorer), goal, NULL);
  d->domain.undecided = NULL;
  if (answer != PATH_INFEASIBLE) return answer;
  explorer_statistics(d->explorer)->refinements++;
  GoalPath path;
  goal_path_open(&path, domain, d->explorer, goal);
  bool grown = explicit_grow(&d->values, &path), excluded = false;
  forget_posts(d);
  if (!grown && interpolate_goal(&d->predicates.interpolation, goal) == PATH_INFEASIBLE) {
    grown = true;
    predicate_grow(&d->predicates, GROW);
    if (d->predicates.tracking.local && !goal_path_is_excluded(&path)) predicate_grow(&d->predicates, GROW_EVERYWHERE);
    forget_posts(d);
  }
  excluded = grown && goal_path_is_excluded(&path);
  if (!excluded && predicate_sharpen(&d->predicates)) {
    forget_posts(d);
    excluded = goal_path_is_excluded(&path);
  }
  answer = PATH_UNDECIDED;
  if (excluded) {
    d->domain.pivot = goal_path_pivot(&path);
    answer = PATH_REGROW;
  } else if (!explorer_stopped(d->explorer)) {
    d->domain.undecided = "predicates that do not exclude their path";
  }
  goal_path_close(&path);
  return answer;
}

// --- the domain ---

static void free_domain(Domain *domain) {
  ProductDomain *d = of(domain);
  U32Vector_free(&d->found);
  U32Vector_free(&d->lists);
  map_free(&d->posts);
  map_free(&d->situations);
  map_free(&d->tracked);
  map_free(&d->known);
  LabelPairVector_free(&d->pairs);
  d->predicates.domain.operations->free(&d->predicates.domain);
  d->values.domain.operations->free(&d->values.domain);
}

static const DomainOperations operations = {.name = "explicit+predicate",
                                            .free = free_domain,
                                            .initial = initial,
                                            .post = post,
                                            .covers = covers,
                                            .parts = parts_of,
                                            .refine = refine,
                                            .formula = formula};

void product_domain_init(ProductDomain *d, Explorer *explorer) {
  *d = (ProductDomain){
      .domain = {.operations = &operations}, .explorer = explorer, .account = explorer_account(explorer)};
  explicit_domain_init(&d->values, explorer);
  predicate_domain_init(&d->predicates, explorer);
  LabelPairVector_init(&d->pairs, d->account);
  map_init(&d->known, d->account);
  map_init(&d->tracked, d->account);
  map_init(&d->situations, d->account);
  map_init(&d->posts, d->account);
  U32Vector_init(&d->lists, d->account);
  U32Vector_init(&d->found, d->account);
  forget_posts(d);
  pair(d, LABEL_TRUE, LABEL_TRUE);
  LabelPairVector_push(&d->pairs, (LabelPair){.values = LABEL_FALSE, .predicates = LABEL_FALSE});
}
