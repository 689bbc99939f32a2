// The domain `label`: conjunctions from infeasible paths (paper: REFINE).
#include "reach/domains/impact_label.h"

#include <assert.h>

static LabelDomain *of(Domain *domain) { return (LabelDomain *)domain; }

// --- infeasible paths ---

void label_strengthen(LabelDomain *d, NodeId node, Term formula) {
  LabelId label = explorer_label(d->explorer, node);
  explorer_strengthen(d->explorer, node, conjunction_and(&d->labels, label, formula));
}

// Strengthens the labels on the path by the last interpolants.
static void add_interpolants(LabelDomain *d) {
  NodeId node = d->interpolation.node;
  for (size_t i = 0; i < d->interpolation.formulas.count;
       i++, node = tree_node(explorer_tree(d->explorer), node)->parent) {
    assert(node != NO_ID); // the path has at least as many nodes as there are interpolants
    label_strengthen(d, node, d->interpolation.formulas.data[i]);
  }
}

static PathAnswer refine(Domain *domain, NodeId goal) {
  LabelDomain *d = of(domain);
  PathAnswer answer = interpolate_goal(&d->interpolation, goal);
  d->domain.undecided = !explorer_stopped(d->explorer) ? "no interpolant of an infeasible path" : NULL;
  if (answer != PATH_INFEASIBLE) return answer;
  explorer_statistics(d->explorer)->refinements++;
  add_interpolants(d);
  label_strengthen(d, goal, term_false(d->terms));
  return answer;
}

// --- conditions that are excluded ---

static bool excludes(Domain *domain, NodeId node, Term condition) {
  LabelDomain *d = of(domain);
  return label_implies_term(&d->implications, explorer_label(d->explorer, node), term_not(d->terms, condition));
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
  Walk *walk = explorer_walk(d->explorer);
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
  LabelId strong = explorer_label(d->explorer, node), weak = explorer_label(d->explorer, coverer);
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

static const LazyOperations lazy = {.force = label_force, .excludes = excludes, .exclude = exclude};
static const DomainOperations operations = {.name = "label",
                                            .lazy = &lazy,
                                            .free = free_domain,
                                            .initial = initial,
                                            .post = post,
                                            .covers = covers,
                                            .refine = refine,
                                            .formula = formula};

void label_domain_init(LabelDomain *d, Explorer *explorer) {
  *d = (LabelDomain){.domain = {.operations = &operations}, .explorer = explorer, .terms = explorer_terms(explorer)};
  d->account = explorer_account(explorer);
  conjunction_table_init(&d->labels, d->terms, d->account);
  implications_init(&d->implications, &d->labels, explorer_budget(explorer), d->account);
  interpolation_init(&d->interpolation, explorer_feasibility(explorer), d->account);
}
