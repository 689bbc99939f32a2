#include "reach/domains/path_formulas.h"

#include "term/factor.h"

static PathDomain *of(Domain *domain) { return (PathDomain *)domain; }

// Is the condition satisfiable? True also if the solver does not know.
static bool is_satisfiable(PathDomain *d, Trie condition) {
  Term formula = path_conjunction(&d->formulas, condition);
  if (term_is_constant(d->terms, formula)) return term_is_true(d->terms, formula);
  if (d->has_model && solver_holds(d->solver, formula)) return true; // variables that the model lacks have a default
  SolverAnswer answer = solver_check(d->solver, &formula, 1);
  d->has_model = answer == SOLVER_SAT;
  return answer != SOLVER_UNSAT;
}

// --- steps ---

static uint32_t most_iterations(const ControlTable *controls, ControlId control) {
  uint32_t most = 0;
  for (ThreadId t = 0; t < controls->thread_count; t++)
    if (control_iterations(controls, control, t) > most) most = control_iterations(controls, control, t);
  return most;
}

// PathLabel.iterations is the largest count of iterations after a backward edge, until the condition was checked. The
// check is made when the node is expanded, because all labels that arrive there have been joined by then. Loops end
// where the condition is not satisfiable.
static const uint32_t CHECKED = 0, IMPOSSIBLE = UINT32_MAX;

// Can a path with this label be continued?
static bool is_possible(PathDomain *d, LabelId label) {
  PathLabel *l = PathLabelVector_at(&d->formulas.labels, label);
  if (l->iterations == CHECKED || l->iterations == IMPOSSIBLE) return l->iterations == CHECKED;
  bool possible = is_satisfiable(d, l->condition);
  if (possible && l->iterations > explorer_statistics(d->explorer)->iterations)
    explorer_statistics(d->explorer)->iterations = l->iterations;
  l->iterations = possible ? CHECKED : IMPOSSIBLE;
  return possible;
}

// Records the iteration of a backward edge. False: it is beyond the limit.
static bool count_iteration(PathDomain *d, const Move *move, LabelId label) {
  Explorer *x = d->explorer;
  PathLabel *l = PathLabelVector_at(&d->formulas.labels, label);
  l->iterations = most_iterations(explorer_controls(x), move->to);
  assert(l->iterations != CHECKED && l->iterations != IMPOSSIBLE);
  if (explorer_options(x)->most_iterations == 0 || l->iterations <= explorer_options(x)->most_iterations) return true;
  if (!explorer_iterations_cut(x) && is_satisfiable(d, l->condition)) explorer_cut_iterations(x);
  return false;
}

static void post(Domain *domain, const Move *move, U32Vector *labels) {
  PathDomain *d = of(domain);
  if (!is_possible(d, move->before)) return;
  LabelId label = path_step(&d->formulas, move);
  if (label == LABEL_FALSE) return;
  bool iterates = !path_ends(&d->formulas, move) && control_goes_back(explorer_controls(d->explorer), move->edge);
  if (!iterates || count_iteration(d, move, label)) U32Vector_push(labels, label);
}

static LabelId initial(Domain *domain) { return path_begin(&of(domain)->formulas); }

static LabelId join(Domain *domain, LabelId waiting, LabelId arriving) {
  return path_join(&of(domain)->formulas, waiting, arriving);
}

// --- goals ---

// Lists the waiting goals and `first`: either all errors or all other goals.
static void list_goals(PathDomain *d, NodeId first, bool errors, U32Vector *goals) {
  const Explorer *x = d->explorer;
  U32Vector_clear(goals);
  for (size_t i = 0; i <= explorer_waiting_count(x); i++) {
    NodeId node = i == 0 ? first : explorer_waiting(x, i - 1);
    const TreeNode *n = tree_node(explorer_tree(x), node);
    if (!n->goal || n->visited || n->label == LABEL_FALSE) continue;
    bool error = !n->missed && explorer_transitions(x)->edges.data[n->edge].end == ENDS_IN_ERROR;
    if (error == errors) U32Vector_push(goals, node);
  }
}

static Term condition_of(PathDomain *d, NodeId node) {
  return path_conjunction(&d->formulas, path_label_at(&d->formulas, explorer_label(d->explorer, node)).condition);
}

static Term disjunction_of_goals(PathDomain *d, const U32Vector *goals, size_t from, size_t to) {
  if (from == to) return term_false(d->terms);
  if (to - from == 1) return condition_of(d, goals->data[from]);
  size_t middle = from + (to - from) / 2;
  Term a = disjunction_of_goals(d, goals, from, middle), b = disjunction_of_goals(d, goals, middle, to);
  return term_or(d->terms, a, b);
}

// Is one of the goals reachable? After SOLVER_SAT there is a model.
static SolverAnswer ask_goals(PathDomain *d, const U32Vector *goals) {
  Term formula = disjunction_of_goals(d, goals, 0, goals->count);
  if (explorer_options(d->explorer)->simplify) formula = term_factor(d->terms, formula, &d->factored);
  if (term_is_false(d->terms, formula)) return SOLVER_UNSAT;
  if (d->has_model && solver_holds(d->solver, formula)) return SOLVER_SAT;
  explorer_statistics(d->explorer)->refinements++;
  SolverAnswer answer = solver_check(d->solver, &formula, 1);
  d->has_model = answer == SOLVER_SAT;
  return answer;
}

// Makes the path of the model the tree's path to the goal. The path must be feasible.
static PathAnswer choose_path(PathDomain *d, NodeId goal) {
  Explorer *x = d->explorer;
  for (NodeId node = goal; node != 0;) {
    LabelId step = path_chosen_step(&d->formulas, explorer_label(x, node), d->solver);
    LinkId link = links_newest(explorer_links(x), node);
    while (link_at(explorer_links(x), link)->label != step) link = link_at(explorer_links(x), link)->older;
    explorer_choose_link(x, link);
    node = link_at(explorer_links(x), link)->parent;
  }
  explorer_finish_path(x, goal);
  PathAnswer answer = goal_check(explorer_feasibility(x), goal, NULL);
  if (answer != PATH_INFEASIBLE) return answer;
  d->domain.broken = true;
  d->domain.undecided = "internal error: a path formula has a model, and its path is not feasible";
  return PATH_UNDECIDED;
}

static PathAnswer choose_goal(PathDomain *d, const U32Vector *goals, bool errors) {
  size_t i = 0;
  while (!solver_holds(d->solver, condition_of(d, goals->data[i]))) i++;
  d->domain.reached = goals->data[i];
  return errors ? choose_path(d, goals->data[i]) : PATH_FEASIBLE; // the path to a cut is not shown
}

static PathAnswer refine_kind(PathDomain *d, NodeId goal, bool errors, U32Vector *goals) {
  list_goals(d, goal, errors, goals);
  SolverAnswer answer = ask_goals(d, goals);
  if (answer == SOLVER_SAT) return choose_goal(d, goals, errors);
  if (answer == SOLVER_UNKNOWN) {
    if (!explorer_stopped(d->explorer)) d->domain.undecided = "a path formula that the solver cannot decide";
    return PATH_UNDECIDED;
  }
  for (size_t i = 0; i < goals->count; i++) explorer_strengthen(d->explorer, goals->data[i], LABEL_FALSE);
  return PATH_INFEASIBLE;
}

// One query asks for all waiting errors together. If none is reachable, a second one asks for the other waiting goals.
static PathAnswer refine(Domain *domain, NodeId goal) {
  PathDomain *d = of(domain);
  d->domain.undecided = NULL;
  U32Vector goals;
  U32Vector_init(&goals, d->account);
  PathAnswer answer = refine_kind(d, goal, true, &goals);
  if (answer == PATH_INFEASIBLE) answer = refine_kind(d, goal, false, &goals);
  U32Vector_free(&goals);
  return answer;
}

// --- the proof ---

static Term escape(Domain *domain, NodeId node, const Move *move, bool goal) {
  PathDomain *d = of(domain);
  Formulas *f = &d->formulas;
  const Explorer *x = d->explorer;
  LinkId link = goal ? NO_ID : links_along(explorer_links(x), explorer_tree(x), node, move->edge, move->to);
  if (link != NO_ID) {
    Link l = *link_at(explorer_links(x), link);
    LabelId joined = explorer_label(x, l.node);
    return path_link_escape(f, explorer_label(x, node), move->edge, l.label, joined);
  }
  PathLabel before = path_label_at(f, explorer_label(x, node));
  path_enter(f, move->edge, before.values, path_instances(f, move->edge));
  bool possible = path_assume(f, &before.condition, path_seen(f, path_guard(f, move)));
  return possible ? path_conjunction(f, before.condition) : term_false(d->terms);
}

// --- the domain ---

static Term formula(const Domain *domain, LabelId label) {
  const PathDomain *d = (const PathDomain *)domain;
  const PathLabel *l = PathLabelVector_at(&d->formulas.labels, label);
  return term_bool(d->terms, l->condition == TRIE_EMPTY && l->values == TRIE_EMPTY); // the start: true in any state
}

static void free_domain(Domain *domain) {
  PathDomain *d = of(domain);
  solver_free(d->solver);
  map_free(&d->factored);
  formulas_free(&d->formulas);
}

static const MergingOperations merging = {
    .counts_iterations = true, .goals_last = true, .join = join, .escape = escape};
static const DomainOperations operations = {.name = "path",
                                            .merging = &merging,
                                            .free = free_domain,
                                            .initial = initial,
                                            .post = post,
                                            .refine = refine,
                                            .formula = formula};

void path_domain_init(PathDomain *d, Explorer *explorer) {
  *d = (PathDomain){.domain = {.operations = &operations}, .explorer = explorer, .terms = explorer_terms(explorer)};
  d->account = explorer_account(explorer);
  formulas_init(&d->formulas, explorer_transitions(explorer), explorer_walk(explorer), d->account);
  map_init(&d->factored, d->account);
  d->solver = solver_new(SOLVER_AUTOMATIC, d->terms, d->account, explorer_budget(explorer));
}
