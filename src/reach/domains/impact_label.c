// The domain `label`: conjunctions from infeasible paths (paper: REFINE).
#include "reach/domains/impact_label.h"

static LabelDomain *of(Domain *domain) { return (LabelDomain *)domain; }

// --- infeasible paths ---

void label_strengthen(LabelDomain *d, NodeId node, Term formula) {
  LabelId label = tree_node(&d->explorer->tree, node)->label;
  explorer_strengthen(d->explorer, node, conjunction_and(&d->labels, label, formula));
}

// Strengthens the labels on the path by the last interpolants.
static void add_interpolants(LabelDomain *d) {
  NodeId node = d->interpolation.node;
  for (size_t i = 0; i < d->interpolation.formulas.count; i++, node = tree_node(&d->explorer->tree, node)->parent)
    label_strengthen(d, node, d->interpolation.formulas.data[i]);
}

static PathAnswer refine(Domain *domain, NodeId goal) {
  LabelDomain *d = of(domain);
  PathAnswer answer = interpolate_goal(&d->interpolation, goal);
  d->domain.undecided = d->explorer->budget->reason == STOP_NONE ? "no interpolant of an infeasible path" : NULL;
  if (answer != PATH_INFEASIBLE) return answer;
  d->explorer->statistics.refinements++;
  add_interpolants(d);
  label_strengthen(d, goal, term_false(d->terms));
  return answer;
}

// --- conditions that are excluded ---

static bool excludes(Domain *domain, NodeId node, Term condition) {
  LabelDomain *d = of(domain);
  return label_implies_term(&d->implications, tree_node(&d->explorer->tree, node)->label,
                            term_not(d->terms, condition));
}

static bool exclude(Domain *domain, NodeId node, Term condition) {
  LabelDomain *d = of(domain);
  if (interpolate_condition(&d->interpolation, node, condition) != PATH_INFEASIBLE) return false;
  add_interpolants(d);
  return true;
}

// --- the domain ---

static LabelId initial(Domain *domain) {
  (void)domain;
  return LABEL_TRUE;
}

static void post(Domain *domain, const Move *move, U32Vector *labels) {
  (void)domain, (void)move;
  U32Vector_push(labels, LABEL_TRUE); // refinement strengthens it
}

// Is the label false in the state that the path to the node leads to?
static bool is_refuted_at(LabelDomain *d, NodeId node, LabelId label) {
  Walk *walk = &d->explorer->feasibility.walk;
  walk_to(walk, node);
  if (walk_is_excluded(walk)) return false;
  uint32_t count;
  const Term *literals = conjunction_literals(&d->labels, label, &count);
  for (uint32_t i = 0; i < count; i++)
    if (term_is_false(d->terms, walk_value(walk, literals[i]))) return true;
  return false;
}

static bool covers(Domain *domain, NodeId node, NodeId coverer) {
  LabelDomain *d = of(domain);
  LabelId strong = tree_node(&d->explorer->tree, node)->label, weak = tree_node(&d->explorer->tree, coverer)->label;
  if (conjunction_implies(&d->labels, strong, weak)) return true;
  return !is_refuted_at(d, node, weak) && label_implies(&d->implications, strong, weak);
}

static Term formula(const Domain *domain, LabelId label) {
  return conjunction_term(&((const LabelDomain *)domain)->labels, label);
}

static void free_domain(Domain *domain) {
  LabelDomain *d = of(domain);
  interpolation_free(&d->interpolation);
  implications_free(&d->implications);
  conjunction_table_free(&d->labels);
}

static const DomainOperations operations = {.name = "label",
                                            .lazy = true,
                                            .free = free_domain,
                                            .initial = initial,
                                            .post = post,
                                            .covers = covers,
                                            .force = label_force,
                                            .refine = refine,
                                            .excludes = excludes,
                                            .exclude = exclude,
                                            .formula = formula};

void label_domain_init(LabelDomain *d, Explorer *explorer) {
  *d = (LabelDomain){.domain = {.operations = &operations}, .explorer = explorer, .terms = explorer->terms};
  d->account = explorer->account;
  conjunction_table_init(&d->labels, d->terms, d->account);
  implications_init(&d->implications, &d->labels, explorer->budget, d->account);
  interpolation_init(&d->interpolation, &explorer->feasibility, d->account);
}
