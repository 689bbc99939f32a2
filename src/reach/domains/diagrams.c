#include "reach/domains/diagrams.h"

static BddDomain *of(Domain *domain) { return (BddDomain *)domain; }

// --- labels ---

static Bdd states_of(const BddDomain *d, LabelId label) { return (Bdd)*U32Vector_at(&d->labels, label); }

// The label of a set. Takes over the caller's reference to the set.
static LabelId label_of(BddDomain *d, Bdd states) {
  uint64_t known = NO_ID;
  if (map_get(&d->label_of, (uint64_t)states, &known) && known != NO_ID) {
    bdd_space_drop(states);
    return (LabelId)known;
  }
  LabelId label = (LabelId)d->labels.count;
  U32Vector_push(&d->labels, (uint32_t)states);
  map_put(&d->label_of, (uint64_t)states, label);
  return label;
}

static LabelId keep(BddDomain *d, LabelId label) {
  if (label == d->transient) d->transient = NO_ID;
  return label;
}

// Drops the last label of `post` if no node got it: mostly the node got a remainder or a union instead.
static void drop_transient(BddDomain *d) {
  if (d->transient == NO_ID) return;
  assert(d->transient > LABEL_FALSE);
  Bdd states = states_of(d, d->transient);
  map_put(&d->label_of, (uint64_t)states, NO_ID);
  bdd_space_drop(states);
  d->labels.data[d->transient] = BDD_FALSE;
  d->transient = NO_ID;
}

// Did the translation to diagrams fail? Then no label can be relied upon any more.
static bool failed(BddDomain *d) {
  d->domain.failed = d->states.translator.flaw;
  return d->domain.failed != NULL;
}

// Did the last operation exceed the limits of the diagrams, or did an earlier one fail?
static bool exhausted(BddDomain *d) {
  if (!d->states.translator.flaw && bdd_space_exhausted())
    d->states.translator.flaw = "the decision diagrams grew too large";
  return failed(d);
}

// --- reached states ---

static Bdd *reached_at(BddDomain *d, ControlId control) {
  while (d->reached.count <= control) U32Vector_push(&d->reached, BDD_FALSE);
  return (Bdd *)&d->reached.data[control];
}

static LabelId initial(Domain *domain) {
  BddDomain *d = of(domain);
  if (failed(d)) return LABEL_TRUE;
  Bdd states = bdd_states_initial(&d->states);
  if (failed(d)) return LABEL_TRUE;
  bdd_space_or_into(reached_at(d, explorer_initial_control(d->explorer)), states);
  return label_of(d, states);
}

static void post(Domain *domain, const Move *move, U32Vector *labels) {
  BddDomain *d = of(domain);
  if (failed(d)) return;
  drop_transient(d);
  bool goal = explorer_transitions(d->explorer)->edges.data[move->edge].end != ENDS_NOT;
  Bdd before = states_of(d, move->before);
  Bdd after = move->missed || goal ? bdd_states_enabled(&d->states, before, move->edge, move->missed)
                                   : bdd_states_after(&d->states, before, move->edge);
  if (failed(d) || after == BDD_FALSE) {
    bdd_space_drop(after);
    return;
  }
  size_t count = d->labels.count;
  LabelId label = label_of(d, after);
  if (label == count && !move->missed && !goal) d->transient = label;
  U32Vector_push(labels, label);
}

static LabelId remainder_of(Domain *domain, ControlId control, LabelId label) {
  BddDomain *d = of(domain);
  if (failed(d)) return LABEL_FALSE;
  Bdd *reached = reached_at(d, control);
  Bdd new = bdd_space_minus(states_of(d, label), *reached);
  bdd_space_or_into(reached, new);
  if (exhausted(d)) return LABEL_FALSE;
  return keep(d, label_of(d, new));
}

static LabelId join(Domain *domain, LabelId waiting, LabelId arriving) {
  BddDomain *d = of(domain);
  if (failed(d)) return waiting;
  Bdd both = bdd_space_or(states_of(d, waiting), states_of(d, arriving));
  return exhausted(d) ? waiting : keep(d, label_of(d, both));
}

// --- executions ---

// A link into the node by which some of the states are reached; NO_ID: none. `before` becomes the set of their
// predecessors.
static LinkId find_link(BddDomain *d, NodeId node, Bdd states, Bdd *before) {
  Explorer *x = d->explorer;
  const TreeNode *n = tree_node(explorer_tree(x), node);
  for (LinkId link = links_newest(explorer_links(x), node); link != NO_ID;
       link = link_at(explorer_links(x), link)->older) {
    const Link *l = link_at(explorer_links(x), link);
    Bdd parent = states_of(d, explorer_label(x, l->parent));
    *before = n->goal ? bdd_states_enabled(&d->states, parent, l->edge, n->missed)
                      : bdd_states_before(&d->states, parent, l->edge, states);
    if (n->goal) bdd_space_and_into(before, states);
    if (d->states.translator.flaw) return NO_ID;
    if (*before != BDD_FALSE) return link;
  }
  return NO_ID;
}

// Chooses a path from a state of the goal back to the root. The links of a node come from nodes that were visited
// before it, so the loop ends.
static bool choose_path(BddDomain *d, NodeId goal) {
  Explorer *x = d->explorer;
  Bdd state = bdd_states_pick(states_of(d, explorer_label(x, goal)));
  NodeId node = goal;
  while (node != 0) {
    Bdd before = BDD_FALSE;
    LinkId link = find_link(d, node, state, &before);
    if (link == NO_ID) break;
    explorer_choose_link(x, link);
    node = link_at(explorer_links(x), link)->parent;
    bdd_space_replace(&state, bdd_states_pick(before));
    bdd_space_drop(before);
  }
  bdd_space_drop(state);
  explorer_finish_path(x, goal);
  return node == 0;
}

static PathAnswer refine(Domain *domain, NodeId goal) {
  BddDomain *d = of(domain);
  d->domain.undecided = d->states.translator.flaw;
  if (d->states.translator.flaw) return PATH_UNDECIDED;
  bool found = choose_path(d, goal);
  PathAnswer answer = found ? goal_check(explorer_feasibility(d->explorer), goal, NULL) : PATH_UNDECIDED;
  d->domain.broken = !d->states.translator.flaw && (answer == PATH_INFEASIBLE || !found);
  if (d->domain.broken) d->domain.undecided = "internal error: a set of states has one that no execution reaches";
  if (d->states.translator.flaw) d->domain.undecided = d->states.translator.flaw;
  return answer == PATH_FEASIBLE ? PATH_FEASIBLE : PATH_UNDECIDED;
}

// --- formulas ---

static Term formula_of(BddDomain *d, Bdd states) {
  return term_and(explorer_terms(d->explorer), d->facts, bdd_formula(&d->formulas, states));
}

static Term formula(const Domain *domain, LabelId label) {
  BddDomain *d = of((Domain *)domain); // terms are made and remembered
  return label == LABEL_FALSE ? term_false(explorer_terms(d->explorer)) : formula_of(d, states_of(d, label));
}

// The union of the labels of all nodes at the control vector. It equals the set of reached states, but a proof consists
// of nodes and must not rely on that set.
static Bdd labels_at(BddDomain *d, ControlId control) {
  const Tree *tree = explorer_tree(d->explorer);
  while (d->proven.count <= control) U32Vector_push(&d->proven, NO_ID);
  if (d->proven.data[control] != NO_ID) return (Bdd)d->proven.data[control];
  Bdd all = BDD_FALSE;
  NodeId newest = control < tree->newest.count ? tree->newest.data[control] : NO_ID;
  for (NodeId n = newest; n != NO_ID; n = tree_node(tree, n)->same_control)
    if (!tree_node(tree, n)->goal) bdd_space_or_into(&all, states_of(d, tree_node(tree, n)->label));
  if (exhausted(d)) bdd_space_replace(&all, BDD_FALSE);
  d->proven.data[control] = (uint32_t)all;
  return all;
}

static Term escape(Domain *domain, NodeId node, const Move *move, bool goal) {
  BddDomain *d = of(domain);
  Explorer *x = d->explorer;
  TermStore *terms = explorer_terms(x);
  const Transition *transition = &explorer_transitions(x)->edges.data[move->edge];
  LabelId label = explorer_label(x, node);
  Bdd there_states = goal || move->missed ? BDD_FALSE : labels_at(d, move->to);
  if (bdd_cases_show(&d->states, states_of(d, label), move->edge, move->missed, there_states)) return term_false(terms);
  Term before = formula(domain, label);
  if (move->missed) return term_and(terms, before, transition->missed);
  before = term_and(terms, before, transition->guard);
  if (goal || term_is_false(terms, before)) return before;
  Map after, cache;
  map_init(&after, d->account);
  map_init(&cache, d->account);
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const Update *update = words_update(&d->words, transition, i);
    map_put(&after, update->variable, update->value);
  }
  Term there = formula_of(d, there_states);
  Term wanted = term_substitute(terms, there, &after, &cache);
  map_free(&cache);
  map_free(&after);
  return term_and(terms, before, term_not(terms, wanted));
}

// --- the domain ---

static void free_domain(Domain *domain) {
  BddDomain *d = of(domain);
  U32Vector_free(&d->proven);
  U32Vector_free(&d->reached);
  map_free(&d->label_of);
  U32Vector_free(&d->labels);
  bdd_formulas_free(&d->formulas);
  bdd_states_free(&d->states);
  words_free(&d->words);
}

static const MergingOperations merging = {.join = join, .remainder = remainder_of, .escape = escape};
static const DomainOperations operations = {.name = "bdd",
                                            .merging = &merging,
                                            .free = free_domain,
                                            .initial = initial,
                                            .post = post,
                                            .refine = refine,
                                            .formula = formula};

void bdd_domain_init(BddDomain *d, Explorer *explorer) {
  *d = (BddDomain){.domain = {.operations = &operations}, .explorer = explorer, .account = explorer_account(explorer)};
  d->transient = NO_ID;
  const char *flaw =
      words_init(&d->words, explorer_transitions(explorer), false, explorer_budget(explorer), d->account);
  bdd_states_init(&d->states, &d->words, (BddFrame){.flaw = flaw}, explorer_budget(explorer), d->account);
  bdd_formulas_init(&d->formulas, &d->words, d->account);
  U32Vector_init(&d->labels, d->account);
  map_init(&d->label_of, d->account);
  U32Vector_init(&d->reached, d->account);
  U32Vector_init(&d->proven, d->account);
  d->facts = words_facts(&d->words);
  U32Vector_push(&d->labels, BDD_TRUE);
  U32Vector_push(&d->labels, BDD_FALSE);
  map_put(&d->label_of, BDD_TRUE, LABEL_TRUE);
  map_put(&d->label_of, BDD_FALSE, LABEL_FALSE);
  failed(d);
}
