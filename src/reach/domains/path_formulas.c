#include "reach/domains/path_formulas.h"

#include "term/factor.h"

static PathDomain *of(Domain *domain) { return (PathDomain *)domain; }

// May the condition hold? Yes if nobody knows.
static bool is_satisfiable(PathDomain *d, Trie condition) {
  Term formula = path_conjunction(&d->formulas, condition);
  if (term_is_constant(d->terms, formula)) return term_is_true(d->terms, formula);
  if (d->has_model && solver_holds(d->solver, formula)) return true; // what is new in it has a default value
  SolverAnswer answer = solver_check(d->solver, &formula, 1);
  d->has_model = answer == SOLVER_SAT;
  return answer != SOLVER_UNSAT;
}

// --- steps ---

static bool goes_back(const PathDomain *d, EdgeId edge) {
  const Edge *e = &d->explorer->program->edges.data[edge];
  const uint32_t *positions = d->explorer->controls.positions.data;
  return positions[e->to] <= positions[e->from];
}

static uint32_t most_turns(const ControlTable *controls, ControlId control) {
  uint32_t most = 0;
  for (ThreadId t = 0; t < controls->thread_count; t++)
    if (control_turns(controls, control, t) > most) most = control_turns(controls, control, t);
  return most;
}

// Steps back are looked at where the path goes on, when all that arrive there were joined: loops end where the condition
// is not satisfiable. PathLabel.turns is the largest count until then.
static const uint32_t LOOKED_AT = 0, IMPOSSIBLE = UINT32_MAX;

static bool goes_on(PathDomain *d, LabelId label) {
  PathLabel *l = PathLabelVector_at(&d->formulas.labels, label);
  if (l->turns == LOOKED_AT || l->turns == IMPOSSIBLE) return l->turns == LOOKED_AT;
  bool possible = is_satisfiable(d, l->condition);
  if (possible && l->turns > d->explorer->statistics.turns) d->explorer->statistics.turns = l->turns;
  l->turns = possible ? LOOKED_AT : IMPOSSIBLE;
  return possible;
}

// Notes a step back. False: it is one too many.
static bool note_turn(PathDomain *d, const Move *move, LabelId label) {
  Explorer *x = d->explorer;
  PathLabel *l = PathLabelVector_at(&d->formulas.labels, label);
  l->turns = most_turns(&x->controls, move->to);
  if (x->options.most_turns == 0 || l->turns <= x->options.most_turns) return true;
  if (!x->turns_cut) x->turns_cut = is_satisfiable(d, l->condition);
  return false;
}

static void post(Domain *domain, const Move *move, U32Vector *labels) {
  PathDomain *d = of(domain);
  if (!goes_on(d, move->before)) return;
  LabelId label = path_step(&d->formulas, move);
  if (label == LABEL_FALSE) return;
  bool turns = !path_ends(&d->formulas, move) && goes_back(d, move->edge);
  if (!turns || note_turn(d, move, label)) U32Vector_push(labels, label);
}

static LabelId initial(Domain *domain) { return path_begin(&of(domain)->formulas); }

static LabelId join(Domain *domain, LabelId waiting, LabelId arriving) {
  return path_join(&of(domain)->formulas, waiting, arriving);
}

// --- goals ---

// The goals that wait, with `first`: of errors, or of all others.
static void list_goals(PathDomain *d, NodeId first, bool errors, U32Vector *goals) {
  const Explorer *x = d->explorer;
  U32Vector_clear(goals);
  for (size_t i = 0; i <= x->waitlist.heap.count; i++) {
    NodeId node = i == 0 ? first : x->waitlist.heap.data[i - 1].node;
    const TreeNode *n = tree_node(&x->tree, node);
    if (!n->goal || n->visited || n->label == LABEL_FALSE) continue;
    bool error = !n->missed && x->transitions.edges.data[n->edge].end == ENDS_IN_ERROR;
    if (error == errors) U32Vector_push(goals, node);
  }
}

static Term condition_of(PathDomain *d, NodeId node) {
  return path_conjunction(&d->formulas,
                          path_label_at(&d->formulas, tree_node(&d->explorer->tree, node)->label).condition);
}

static Term disjunction_of_goals(PathDomain *d, const U32Vector *goals, size_t from, size_t to) {
  if (from == to) return term_false(d->terms);
  if (to - from == 1) return condition_of(d, goals->data[from]);
  size_t middle = from + (to - from) / 2;
  Term a = disjunction_of_goals(d, goals, from, middle), b = disjunction_of_goals(d, goals, middle, to);
  return term_or(d->terms, a, b);
}

// Are some of the goals reachable? After SAT there is a model.
static SolverAnswer ask_goals(PathDomain *d, const U32Vector *goals) {
  Term formula = disjunction_of_goals(d, goals, 0, goals->count);
  if (d->explorer->options.simplify) formula = term_factor(d->terms, formula, &d->factored);
  if (term_is_false(d->terms, formula)) return SOLVER_UNSAT;
  if (d->has_model && solver_holds(d->solver, formula)) return SOLVER_SAT;
  d->explorer->statistics.refinements++;
  SolverAnswer answer = solver_check(d->solver, &formula, 1);
  d->has_model = answer == SOLVER_SAT;
  return answer;
}

// The path of the model becomes the one to the goal in the tree. It must be feasible.
static PathAnswer settle(PathDomain *d, NodeId goal) {
  Explorer *x = d->explorer;
  for (NodeId node = goal; node != 0;) {
    LabelId step = path_chosen_step(&d->formulas, tree_node(&x->tree, node)->label, d->solver);
    LinkId link = links_newest(&x->links, node);
    while (link_at(&x->links, link)->label != step) link = link_at(&x->links, link)->older;
    explorer_settle(x, link);
    node = link_at(&x->links, link)->parent;
  }
  explorer_settled(x, goal);
  PathAnswer answer = goal_check(&x->feasibility, goal, NULL);
  if (answer != PATH_INFEASIBLE) return answer;
  d->domain.undecided = "internal error: a path formula has a model, and its path is not feasible";
  return PATH_UNDECIDED;
}

static PathAnswer choose_goal(PathDomain *d, const U32Vector *goals, bool errors) {
  size_t i = 0;
  while (!solver_holds(d->solver, condition_of(d, goals->data[i]))) i++;
  d->domain.reached = goals->data[i];
  return errors ? settle(d, goals->data[i]) : PATH_FEASIBLE; // of what is cut off nobody wants to see the path
}

static PathAnswer refine_kind(PathDomain *d, NodeId goal, bool errors, U32Vector *goals) {
  list_goals(d, goal, errors, goals);
  SolverAnswer answer = ask_goals(d, goals);
  if (answer == SOLVER_SAT) return choose_goal(d, goals, errors);
  if (answer == SOLVER_UNKNOWN) {
    if (d->explorer->budget->reason == STOP_NONE) d->domain.undecided = "a path formula that the solver cannot decide";
    return PATH_UNDECIDED;
  }
  for (size_t i = 0; i < goals->count; i++) explorer_strengthen(d->explorer, goals->data[i], LABEL_FALSE);
  return PATH_INFEASIBLE;
}

// All goals that wait are asked about together, errors before cuts.
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
  LinkId link = goal ? NO_ID : links_along(&x->links, &x->tree, node, move->edge, move->to);
  if (link != NO_ID) {
    Link l = *link_at(&x->links, link);
    LabelId joined = tree_node(&x->tree, l.node)->label;
    return path_link_escape(f, tree_node(&x->tree, node)->label, move->edge, l.label, joined);
  }
  PathLabel before = path_label_at(f, tree_node(&x->tree, node)->label);
  path_enter(f, move->edge, before.values, path_instances(f, move->edge));
  bool possible = path_assume(f, &before.condition, path_seen(f, path_guard(f, move)));
  return possible ? path_conjunction(f, before.condition) : term_false(d->terms);
}

// --- the domain ---

static Term formula(const Domain *domain, LabelId label) {
  const PathDomain *d = (const PathDomain *)domain;
  const PathLabel *l = PathLabelVector_at(&d->formulas.labels, label);
  return term_bool(d->terms, l->condition == TRIE_EMPTY && l->values == TRIE_EMPTY); // the start, which any state is
}

static void free_domain(Domain *domain) {
  PathDomain *d = of(domain);
  solver_free(d->solver);
  map_free(&d->factored);
  formulas_free(&d->formulas);
}

static const DomainOperations operations = {.name = "path",
                                            .merges = true,
                                            .counts_turns = true,
                                            .goals_last = true,
                                            .free = free_domain,
                                            .initial = initial,
                                            .post = post,
                                            .join = join,
                                            .escape = escape,
                                            .refine = refine,
                                            .formula = formula};

void path_domain_init(PathDomain *d, Explorer *explorer) {
  *d = (PathDomain){.domain = {.operations = &operations}, .explorer = explorer, .terms = explorer->terms};
  d->account = explorer->account;
  formulas_init(&d->formulas, &explorer->transitions, &explorer->feasibility.walk, d->account);
  map_init(&d->factored, d->account);
  d->solver = solver_new(SOLVER_AUTOMATIC, d->terms, d->account, explorer->budget);
}
