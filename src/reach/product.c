#include "reach/product.h"

#include "reach/regrow.h"

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

static LabelId compute_post(ProductDomain *d, const Move *move) {
  LabelPair before = d->pairs.data[move->before];
  uint32_t count;
  const Term *predicates = conjunction_literals(&d->predicates.labels, before.predicates, &count);
  LabelId values = explicit_post(&d->values, before.values, predicates, count, move->edge, move->missed);
  if (values == LABEL_FALSE) return LABEL_FALSE;
  const Term *facts = conjunction_literals(&d->values.labels, before.values, &count);
  Move part = *move;
  part.before = before.predicates;
  return pair(d, values, predicate_post(&d->predicates, &part, facts, count));
}

static void post(Domain *domain, const Move *move, U32Vector *labels) {
  ProductDomain *d = of(domain);
  uint64_t key = (uint64_t)move->before << 32 | (uint64_t)move->edge << 1 | move->missed;
  LabelId after = (LabelId)map_get_or(&d->posts, key, NO_ID);
  if (after == NO_ID) {
    after = compute_post(d, move);
    if (d->explorer->budget->reason == STOP_NONE) map_put(&d->posts, key, after);
  }
  if (after != LABEL_FALSE) U32Vector_push(labels, after);
}

static bool covers(Domain *domain, NodeId node, NodeId coverer) {
  ProductDomain *d = of(domain);
  LabelPair strong = d->pairs.data[tree_node(&d->explorer->tree, node)->label];
  LabelPair weak = d->pairs.data[tree_node(&d->explorer->tree, coverer)->label];
  return conjunction_implies(&d->values.labels, strong.values, weak.values) &&
         predicate_label_implies(&d->predicates, strong.predicates, weak.predicates);
}

static Term formula(const Domain *domain, LabelId label) {
  const ProductDomain *d = (const ProductDomain *)domain;
  LabelPair both = d->pairs.data[label];
  Term values = conjunction_term(&d->values.labels, both.values);
  return term_and(d->explorer->terms, values, conjunction_term(&d->predicates.labels, both.predicates));
}

// --- refining ---

static PathAnswer refine(Domain *domain, NodeId goal) {
  ProductDomain *d = of(domain);
  PathAnswer answer = goal_check(&d->explorer->feasibility, goal, NULL);
  d->domain.undecided = NULL;
  if (answer != PATH_INFEASIBLE) return answer;
  d->explorer->statistics.refinements++;
  GoalPath path;
  goal_path_open(&path, domain, d->explorer, goal);
  bool grown = explicit_grow(&d->values, &path);
  if (!grown && interpolate_goal(&d->predicates.interpolation, goal) == PATH_INFEASIBLE) {
    predicate_grow(&d->predicates, true);
    grown = true;
  }
  map_clear(&d->posts);
  answer = PATH_UNDECIDED;
  bool excluded = grown && goal_path_is_excluded(&path);
  if (!excluded && predicate_sharpen(&d->predicates)) {
    map_clear(&d->posts);
    excluded = goal_path_is_excluded(&path);
  }
  if (excluded) {
    d->domain.pivot = goal_path_pivot(&path);
    answer = PATH_REGROW;
  } else if (d->explorer->budget->reason == STOP_NONE) {
    d->domain.undecided = "predicates that do not exclude their path";
  }
  goal_path_close(&path);
  return answer;
}

// --- the domain ---

static void free_domain(Domain *domain) {
  ProductDomain *d = of(domain);
  map_free(&d->posts);
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
                                            .refine = refine,
                                            .formula = formula};

void product_domain_init(ProductDomain *d, Explorer *explorer) {
  *d = (ProductDomain){.domain = {.operations = &operations}, .explorer = explorer, .account = explorer->account};
  explicit_domain_init(&d->values, explorer);
  predicate_domain_init(&d->predicates, explorer);
  LabelPairVector_init(&d->pairs, d->account);
  map_init(&d->known, d->account);
  map_init(&d->posts, d->account);
  pair(d, LABEL_TRUE, LABEL_TRUE);
  LabelPairVector_push(&d->pairs, (LabelPair){.values = LABEL_FALSE, .predicates = LABEL_FALSE});
}
