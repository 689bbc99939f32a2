// The domain `label`: conjunctions from infeasible paths (paper: REFINE).
#include "reach/label.h"
#include "reach/concretise.h"

static LabelDomain *of(Domain *domain) { return (LabelDomain *)domain; }

// --- infeasible paths ---

void label_strengthen(LabelDomain *d, NodeId node, Term formula) {
  LabelId label = tree_node(&d->explorer->tree, node)->label;
  explorer_strengthen(d->explorer, node, conjunction_and(&d->labels, label, formula));
}

static bool holds_initially(LabelDomain *d, Term formula) {
  if (label_implies_term(&d->implications, CONJUNCTION_TRUE, formula)) return true;
  walk_to(&d->explorer->feasibility.walk, 0);
  Term at_start = walk_value(&d->explorer->feasibility.walk, formula);
  return label_implies_term(&d->implications, CONJUNCTION_TRUE, at_start);
}

// Labels for the nodes on the path to `node`, whose own becomes `formula`: weakest preconditions along the edges,
// with those guards that are `used`. False, and nothing is changed, if the first one does not hold initially: some
// precondition had to be made stronger than the weakest.
static bool label_path(LabelDomain *d, NodeId node, Term formula, const bool *used) {
  const Tree *tree = &d->explorer->tree;
  TermVector formulas; // the node's first, the root's last
  TermVector_init(&formulas, d->account);
  formula = concretise(&d->explorer->feasibility.walk, node, formula);
  TermVector_push(&formulas, formula);
  size_t i = tree_node(tree, node)->depth;
  for (NodeId n = node; n != 0; n = tree_node(tree, n)->parent) {
    formula = precondition(&d->preconditions, tree_node(tree, n)->edge, formula, used[--i]);
    formula = concretise(&d->explorer->feasibility.walk, tree_node(tree, n)->parent, formula);
    TermVector_push(&formulas, formula);
  }
  bool valid = holds_initially(d, formula);
  NodeId at = node;
  for (size_t k = 0; valid && k < formulas.count; k++, at = tree_node(tree, at)->parent)
    label_strengthen(d, at, formulas.data[k]);
  TermVector_free(&formulas);
  return valid;
}

// The path up to `node` and then `excluded` (over its state; by the fresh variables of `edge`, unless that is NO_ID) cannot
// be, for the reason in `used`. First with small formulas, then with all guards, at last with parameters for inputs.
static bool label_infeasible(LabelDomain *d, NodeId node, EdgeId edge, Term excluded, bool *used) {
  size_t length = tree_node(&d->explorer->tree, node)->depth;
  bool done = false;
  for (unsigned attempt = 0; attempt < 3 && !done; attempt++) {
    d->preconditions.exact = attempt == 2;
    if (attempt == 1)
      for (size_t i = 0; i <= length; i++) used[i] = true;
    Term formula = term_false(d->terms);
    if (used[length]) {
      formula = edge == NO_ID ? term_not(d->terms, excluded) : precondition_excludes(&d->preconditions, edge, excluded);
    }
    done = label_path(d, node, formula, used);
  }
  d->preconditions.exact = false;
  return done;
}

// Where the last reason lies before the end of the path, everything after it cannot happen.
static NodeId last_reason(const LabelDomain *d, NodeId node, const bool *used) {
  const Tree *tree = &d->explorer->tree;
  for (size_t i = tree_node(tree, node)->depth; !used[i] && i > 0 && !used[i - 1]; i--)
    node = tree_node(tree, node)->parent;
  return node;
}

static PathAnswer refine(Domain *domain, NodeId goal) {
  LabelDomain *d = of(domain);
  const TreeNode *n = tree_node(&d->explorer->tree, goal);
  NodeId before = n->parent;
  EdgeId edge = n->edge;
  const Transition *transition = &d->explorer->transitions.edges.data[edge];
  Term condition = n->missed ? transition->missed : transition->guard;
  size_t bytes = (n->depth + 1) * sizeof(bool);
  bool *used = memory_allocate_zeroed(d->account, bytes);
  d->domain.undecided = NULL;
  PathAnswer answer = goal_check(&d->explorer->feasibility, goal, used);
  if (answer == PATH_INFEASIBLE) {
    d->explorer->statistics.refinements++;
    NodeId at = last_reason(d, before, used);
    bool done = at == before ? label_infeasible(d, before, edge, condition, used)
                             : label_infeasible(d, at, NO_ID, term_true(d->terms), used);
    if (done) label_strengthen(d, goal, term_false(d->terms));
    if (!done) {
      bool stopped = budget_exhausted(d->explorer->budget, "reach"); // a solver that was stopped found nothing
      d->domain.undecided = stopped ? NULL : "no interpolant over an input";
      answer = PATH_UNDECIDED;
    }
  }
  memory_free(d->account, used, bytes);
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
  size_t bytes = (tree_node(&d->explorer->tree, node)->depth + 1) * sizeof(bool);
  bool *used = memory_allocate_zeroed(d->account, bytes);
  bool done = false;
  if (path_check(&d->explorer->feasibility, node, condition, used) == PATH_INFEASIBLE) {
    NodeId at = last_reason(d, node, used);
    done = label_infeasible(d, at, NO_ID, at == node ? condition : term_true(d->terms), used);
  }
  memory_free(d->account, used, bytes);
  return done;
}

// --- the domain ---

static LabelId initial(Domain *domain) {
  (void)domain;
  return LABEL_TRUE;
}

static LabelId post(Domain *domain, LabelId before, EdgeId edge, bool missed) {
  (void)domain, (void)before, (void)edge, (void)missed;
  return LABEL_TRUE; // what is needed comes by refinement
}

// Is the label false in the very state that the path leads to?
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
  preconditions_free(&d->preconditions);
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
  preconditions_init(&d->preconditions, &explorer->transitions, explorer->feasibility.solver, d->account);
}
