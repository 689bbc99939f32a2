#include "reach/domains/blocks.h"

#include "reach/tree/regrow.h"
#include "transition/instances.h"

static BlocksDomain *of(Domain *domain) { return (BlocksDomain *)domain; }

static BlockLabel label_at(const BlocksDomain *d, LabelId label) {
  assert(label > LABEL_FALSE);
  return *BlockLabelVector_at(&d->labels, label);
}

static BlockLabel label_of_node(const BlocksDomain *d, NodeId node) {
  return label_at(d, explorer_label(d->explorer, node));
}

static LabelId add_label(BlocksDomain *d, BlockLabel label) {
  assert(label.start != LABEL_FALSE && label.path > LABEL_FALSE);
  BlockLabelVector_push(&d->labels, label);
  return (LabelId)d->labels.count - 1;
}

// --- what is known in a block ---

typedef struct Inputs {
  BlocksDomain *domain;
  TermVector found;
} Inputs;

static void note_input(void *context, Term variable) {
  Inputs *inputs = context;
  const BlocksDomain *d = inputs->domain;
  if (term_variable_index(d->terms, variable) >= explorer_transitions(d->explorer)->state_limit)
    TermVector_push(&inputs->found, variable);
}

static bool has_inputs(BlocksDomain *d, Term t) {
  Inputs inputs = {.domain = d};
  TermVector_init(&inputs.found, d->account);
  term_each_variable(d->terms, t, note_input, &inputs);
  bool found = inputs.found.count > 0;
  TermVector_free(&inputs.found);
  return found;
}

static void push_literal(void *context, uint32_t literal, uint32_t there, uint32_t absent) {
  (void)there;
  (void)absent;
  TermVector_push(context, literal);
}

// Fills `conditions` with what holds where the block began, followed by the condition of the path. Returns the number
// of conditions of the first kind. If the label at the beginning has parameters, it is instantiated with the inputs
// that the path mentions.
static size_t list_conditions(BlocksDomain *d, LabelId start, Trie condition) {
  TermVector_clear(&d->conditions);
  uint32_t count;
  const Term *literals = conjunction_literals(&d->predicate.labels, start, &count);
  for (uint32_t i = 0; i < count; i++) TermVector_push(&d->conditions, literals[i]);
  if (has_inputs(d, conjunction_term(&d->predicate.labels, start))) {
    Inputs inputs = {.domain = d};
    TermVector_init(&inputs.found, d->account);
    term_each_variable(d->terms, path_conjunction(&d->formulas, condition), note_input, &inputs);
    uint32_t limit = explorer_transitions(d->explorer)->state_limit;
    for (uint32_t i = 0; i < count; i++)
      instances_add(d->terms, d->conditions.data[i], limit, inputs.found.data, inputs.found.count, &d->conditions,
                    d->account);
    TermVector_free(&inputs.found);
  }
  size_t of_start = d->conditions.count;
  trie_compare(&d->formulas.tries, condition, TRIE_EMPTY, push_literal, &d->conditions);
  return of_start;
}

static Term whole_formula(BlocksDomain *d, LabelId start, Trie condition) {
  size_t of_start = list_conditions(d, start, condition);
  Term whole = path_conjunction(&d->formulas, condition);
  for (size_t i = 0; i < of_start; i++) whole = term_and(d->terms, whole, d->conditions.data[i]);
  return whole;
}

// --- post ---

typedef struct After {
  BlocksDomain *domain;
  Trie values;
  Map *map;
} After;

static void put_after(void *context, Term variable) {
  After *after = context;
  BlocksDomain *d = after->domain;
  uint32_t index = term_variable_index(d->terms, variable);
  if (index >= explorer_transitions(d->explorer)->state_limit || map_contains(after->map, variable)) return;
  Term value = path_value(&d->formulas, after->values, index);
  if (value != variable) map_put(after->map, variable, value);
}

// The label over the predicates that are tracked at `to`, where a block ends; LABEL_FALSE: the block cannot reach its
// end.
static LabelId abstract_block(BlocksDomain *d, LabelId start, LabelId path, ControlId to) {
  PredicateDomain *p = &d->predicate;
  PathLabel end = path_label_at(&d->formulas, path);
  AbstractStep step;
  abstract_step_init(&step, d->account);
  step.news = list_conditions(d, start, end.condition);
  for (size_t i = 0; i < d->conditions.count; i++) TermVector_push(&step.conditions, d->conditions.data[i]);
  uint32_t held_count;
  step.held = conjunction_literals(&p->labels, start, &held_count);
  step.held_count = held_count;
  LabelId after = LABEL_FALSE;
  if (abstraction_allows(&p->abstraction, step.conditions.data, step.conditions.count)) {
    step.predicates = tracked_items(&p->tracking, tracking_set(&p->tracking, to), &step.predicate_count);
    After context = {.domain = d, .values = end.values, .map = &step.after};
    for (size_t i = 0; i < step.predicate_count; i++)
      term_each_variable(d->terms, step.predicates[i], put_after, &context);
    TermVector conjuncts;
    TermVector_init(&conjuncts, d->account);
    abstraction_of(&p->abstraction, &step, p->kind, &conjuncts);
    after = predicate_label_of(p, &conjuncts);
    TermVector_free(&conjuncts);
  }
  explorer_statistics(d->explorer)->implications = p->abstraction.asked + p->implications.by_solver;
  abstract_step_free(&step);
  return after;
}

static void post(Domain *domain, const Move *move, U32Vector *labels) {
  BlocksDomain *d = of(domain);
  BlockLabel before = label_at(d, move->before), after = {.start = before.start};
  Move inside = *move;
  inside.before = before.path;
  after.path = path_step(&d->formulas, &inside);
  if (after.path == LABEL_FALSE) return;
  if (path_ends(&d->formulas, move)) {
    list_conditions(d, after.start, path_label_at(&d->formulas, after.path).condition);
    if (!abstraction_allows(&d->predicate.abstraction, d->conditions.data, d->conditions.count)) return;
  } else if (d->heads.data[explorer_program(d->explorer)->edges.data[move->edge].to]) {
    after = (BlockLabel){.begins = true, .ended_start = before.start, .ended_path = after.path, .path = d->empty_path};
    after.start = abstract_block(d, before.start, after.ended_path, move->to);
    if (after.start == LABEL_FALSE) return;
  }
  U32Vector_push(labels, add_label(d, after));
}

static LabelId initial(Domain *domain) { return of(domain)->root; }

static LabelId join(Domain *domain, LabelId waiting_id, LabelId arriving_id) {
  BlocksDomain *d = of(domain);
  BlockLabel waiting = label_at(d, waiting_id), arriving = label_at(d, arriving_id);
  if (waiting.start != arriving.start || waiting.begins != arriving.begins) return LABEL_FALSE;
  if (waiting.begins) return waiting_id;
  BlockLabel joined = {.start = waiting.start, .path = path_join(&d->formulas, waiting.path, arriving.path)};
  return add_label(d, joined);
}

// --- one path to a goal ---

static bool ask(BlocksDomain *d, Term formula) { return solver_check(d->solver, &formula, 1) == SOLVER_SAT; }

// Chooses the path of the solver's model from the node, which is inside a block, up to the node where the block began.
static NodeId choose_block_path(BlocksDomain *d, NodeId node) {
  Explorer *x = d->explorer;
  while (node != 0 && !label_of_node(d, node).begins) {
    LabelId step = path_chosen_step(&d->formulas, label_of_node(d, node).path, d->solver);
    LinkId link = links_newest(explorer_links(x), node);
    while (label_at(d, link_at(explorer_links(x), link)->label).path != step)
      link = link_at(explorer_links(x), link)->older;
    explorer_choose_link(x, link);
    node = link_at(explorer_links(x), link)->parent;
  }
  return node;
}

// What the model of a block and the model of the next block have in common where the one ends and the other begins: the
// state, only the truth of the tracked predicates, or possibly nothing.
typedef enum MeetingKind { MEET_IN_STATE, MEET_IN_PREDICATES, MEET_ANYHOW } MeetingKind;

// The beginning of a block in the model of its formula.
typedef struct Meeting {
  BlocksDomain *domain;
  TermVector variables, values;  // the state variables that the block's formula mentions, and their values
  TermVector predicates, truths; // the predicates that are tracked at its first node, and their truth
} Meeting;

static void meeting_init(Meeting *m, BlocksDomain *d) {
  *m = (Meeting){.domain = d};
  TermVector_init(&m->variables, d->account);
  TermVector_init(&m->values, d->account);
  TermVector_init(&m->predicates, d->account);
  TermVector_init(&m->truths, d->account);
}

static void meeting_free(Meeting *m) {
  TermVector_free(&m->truths);
  TermVector_free(&m->predicates);
  TermVector_free(&m->values);
  TermVector_free(&m->variables);
}

static void note_value(void *context, Term variable) {
  Meeting *m = context;
  BlocksDomain *d = m->domain;
  if (term_variable_index(d->terms, variable) >= explorer_transitions(d->explorer)->state_limit) return;
  TermVector_push(&m->variables, variable);
  Bits value = solver_value(d->solver, variable);
  TermVector_push(&m->values, term_constant(d->terms, term_width(d->terms, variable), value));
}

// Records the beginning of the block in the solver's model. The block began at the node and has this formula.
static void note_beginning(Meeting *m, NodeId node, Term formula) {
  BlocksDomain *d = m->domain;
  TermVector_clear(&m->variables);
  TermVector_clear(&m->values);
  TermVector_clear(&m->predicates);
  TermVector_clear(&m->truths);
  term_each_variable(d->terms, formula, note_value, m);
  Tracking *tracking = &d->predicate.tracking;
  size_t count;
  const Term *items =
      tracked_items(tracking, tracking_set(tracking, tree_node(explorer_tree(d->explorer), node)->control), &count);
  for (size_t i = 0; i < count; i++) {
    if (has_inputs(d, items[i])) continue; // the predicate has parameters
    TermVector_push(&m->predicates, items[i]);
    TermVector_push(&m->truths, term_bool(d->terms, solver_holds(d->solver, items[i])));
  }
}

// A formula over the state with the values of state variables put in.
static Term in_values(BlocksDomain *d, Term formula, Trie values) {
  Map map;
  map_init(&map, d->account);
  After after = {.domain = d, .values = values, .map = &map};
  term_each_variable(d->terms, formula, put_after, &after);
  Term result = term_substitute(d->terms, formula, &map, NULL);
  map_free(&map);
  return result;
}

// The formula of the block that ended with the link's step, under the condition that its end meets the beginning of the
// next block.
static Term ending(const Meeting *m, const Link *link, MeetingKind kind) {
  BlocksDomain *d = m->domain;
  BlockLabel label = label_at(d, link->label);
  assert(label.begins);
  PathLabel end = path_label_at(&d->formulas, label.ended_path);
  Term formula = whole_formula(d, label.ended_start, end.condition);
  const TermVector *terms = kind == MEET_IN_STATE ? &m->variables : &m->predicates;
  const TermVector *values = kind == MEET_IN_STATE ? &m->values : &m->truths;
  for (size_t i = 0; kind != MEET_ANYHOW && i < terms->count; i++) {
    Term same = term_eq(d->terms, in_values(d, terms->data[i], end.values), values->data[i]);
    formula = term_and(d->terms, formula, same);
  }
  return formula;
}

// Chooses a link into the node where a block begins, and a model of the block that ended with the link's step. Links
// with the best kind of meeting are preferred. `worst` becomes the worst kind that a block of the path needed. NO_ID:
// the solver was stopped.
static LinkId choose_link(const Meeting *m, NodeId node, MeetingKind *worst) {
  const Links *links = explorer_links(m->domain->explorer);
  for (MeetingKind kind = MEET_IN_STATE; kind <= MEET_ANYHOW; kind++)
    for (LinkId link = links_newest(links, node); link != NO_ID; link = link_at(links, link)->older) {
      if (!ask(m->domain, ending(m, link_at(links, link), kind))) continue;
      if (kind > *worst) *worst = kind;
      return link;
    }
  return NO_ID;
}

// Chooses a path to the goal, block by block from the goal up. Each block of the path is possible by itself; the blocks
// may not fit together. False: the solver was stopped.
static bool choose_path(BlocksDomain *d, NodeId goal, MeetingKind *worst) {
  Explorer *x = d->explorer;
  BlockLabel label = label_of_node(d, goal);
  Term formula = whole_formula(d, label.start, path_label_at(&d->formulas, label.path).condition);
  Meeting meeting;
  meeting_init(&meeting, d);
  bool found = ask(d, formula);
  for (NodeId node = found ? choose_block_path(d, goal) : 0; found && node != 0;) {
    note_beginning(&meeting, node, formula);
    LinkId link = choose_link(&meeting, node, worst);
    found = link != NO_ID;
    if (!found) break;
    explorer_choose_link(x, link);
    formula = ending(&meeting, link_at(explorer_links(x), link), MEET_ANYHOW);
    node = choose_block_path(d, link_at(explorer_links(x), link)->parent);
  }
  meeting_free(&meeting);
  if (found) explorer_finish_path(x, goal);
  return found;
}

// --- refining ---

// Tracks the interpolants of the path: at the nodes where its blocks begin, or everywhere. True: some predicate is new
// there.
static bool grow(BlocksDomain *d, PredicateGrowth growth) {
  PredicateDomain *p = &d->predicate;
  TrackingPlace place = {.node = p->interpolation.node, .sums = growth != GROW_WITHOUT_SUMS};
  bool grown = false;
  for (size_t i = 0; i < p->interpolation.formulas.count; i++) {
    place.control = growth == GROW_EVERYWHERE ? NO_ID : tree_node(explorer_tree(d->explorer), place.node)->control;
    if (growth == GROW_EVERYWHERE || label_of_node(d, place.node).begins)
      grown |= predicate_track(p, p->interpolation.formulas.data[i], &place);
    place.node = tree_node(explorer_tree(d->explorer), place.node)->parent;
  }
  return grown;
}

// Makes the precision grow until labels exclude the path. Labels along the path alone may be stronger than the labels
// in the graph, where the path is joined with other paths. So it is not enough that the labels exclude the path: the
// precision must also contain a new predicate, or the search would repeat.
static bool exclude_path(BlocksDomain *d, NodeId goal) {
  GoalPath path;
  goal_path_open(&path, &d->domain, d->explorer, goal);
  bool excluded = false, grown = false;
  for (PredicateGrowth growth = GROW_WITHOUT_SUMS; growth <= GROW_EVERYWHERE && !(excluded && grown); growth++) {
    grown |= grow(d, growth);
    excluded = goal_path_is_excluded(&path);
  }
  if (!excluded || !grown) {
    grown |= predicate_sharpen(&d->predicate);
    excluded = goal_path_is_excluded(&path);
  }
  goal_path_close(&path);
  return excluded && grown;
}

static PathAnswer refine(Domain *domain, NodeId goal) {
  BlocksDomain *d = of(domain);
  d->domain.undecided = NULL;
  d->domain.pivot = 0;
  MeetingKind worst = MEET_IN_STATE;
  if (!choose_path(d, goal, &worst)) {
    if (!explorer_stopped(d->explorer)) d->domain.undecided = "a block that the solver cannot decide";
    return PATH_UNDECIDED;
  }
  PathAnswer answer = interpolate_goal(&d->predicate.interpolation, goal);
  if (answer != PATH_INFEASIBLE) return answer;
  explorer_statistics(d->explorer)->refinements++;
  if (exclude_path(d, goal)) return PATH_REGROW;
  if (worst == MEET_ANYHOW && predicate_sharpen(&d->predicate)) return PATH_REGROW;
  if (!explorer_stopped(d->explorer)) d->domain.undecided = "predicates that do not exclude their path";
  return PATH_UNDECIDED;
}

// --- the proof ---

static Term escape(Domain *domain, NodeId node, const Move *move, bool goal) {
  BlocksDomain *d = of(domain);
  Formulas *f = &d->formulas;
  const Explorer *x = d->explorer;
  BlockLabel before = label_of_node(d, node), there = {0}, step = {0};
  LinkId link = goal ? NO_ID : links_along(explorer_links(x), explorer_tree(x), node, move->edge, move->to);
  if (link != NO_ID) {
    there = label_of_node(d, link_at(explorer_links(x), link)->node);
    step = label_at(d, link_at(explorer_links(x), link)->label);
  }
  PathLabel path = path_label_at(f, before.path);
  Trie whole = path.condition;
  if (link != NO_ID && !there.begins && there.start == before.start) {
    Term escapes = path_link_escape(f, before.path, move->edge, step.path, there.path);
    if (term_is_false(d->terms, escapes)) return escapes;
    return term_and(d->terms, whole_formula(d, before.start, whole), escapes);
  }
  bool ends = link != NO_ID && there.begins;
  uint32_t instances = ends ? path_label_at(f, step.ended_path).first_instance : path_instances(f, move->edge);
  path_enter(f, move->edge, path.values, instances);
  if (!path_assume(f, &whole, path_seen(f, path_guard(f, move)))) return term_false(d->terms);
  Term escapes = whole_formula(d, before.start, whole);
  if (!ends) return escapes;
  Trie after = path_values_after(f, move->edge, path.values);
  Term wanted = in_values(d, conjunction_term(&d->predicate.labels, there.start), after);
  return term_and(d->terms, escapes, term_not(d->terms, wanted));
}

// --- the domain ---

static bool covers(Domain *domain, NodeId node, NodeId coverer) {
  BlocksDomain *d = of(domain);
  BlockLabel a = label_of_node(d, node), b = label_of_node(d, coverer);
  return a.begins && b.begins && predicate_label_implies(&d->predicate, a.start, b.start);
}

typedef struct Equalities {
  const BlocksDomain *domain;
  Term all;
} Equalities;

static void add_equality(void *context, uint32_t variable, uint32_t value, uint32_t absent) {
  (void)absent;
  Equalities *e = context;
  TermStore *terms = e->domain->terms;
  e->all = term_and(terms, e->all, term_eq(terms, term_variable_by_index(terms, variable), value));
}

// Inside a block the label says nothing about the state, except that the root's label gives the initial values.
static Term formula(const Domain *domain, LabelId label) {
  const BlocksDomain *d = (const BlocksDomain *)domain;
  BlockLabel l = label_at(d, label);
  if (l.begins) return conjunction_term(&d->predicate.labels, l.start);
  Equalities equalities = {.domain = d, .all = term_true(d->terms)};
  if (label == d->root)
    trie_compare(&d->formulas.tries, path_label_at(&d->formulas, l.path).values, TRIE_EMPTY, add_equality, &equalities);
  return equalities.all;
}

static void free_domain(Domain *domain) {
  BlocksDomain *d = of(domain);
  TermVector_free(&d->conditions);
  solver_free(d->solver);
  ByteVector_free(&d->heads);
  BlockLabelVector_free(&d->labels);
  formulas_free(&d->formulas);
  d->predicate.domain.operations->free(&d->predicate.domain);
}

static const MergingOperations merging = {.join = join, .escape = escape};
static const DomainOperations operations = {.name = "blocks",
                                            .merging = &merging,
                                            .free = free_domain,
                                            .initial = initial,
                                            .post = post,
                                            .covers = covers,
                                            .refine = refine,
                                            .formula = formula};

static void find_heads(BlocksDomain *d) {
  const Program *p = explorer_program(d->explorer);

  ByteVector_resize(&d->heads, p->locations.count);
  for (EdgeId e = 0; e < p->edges.count; e++)
    if (control_goes_back(explorer_controls(d->explorer), e)) d->heads.data[p->edges.data[e].to] = 1;
}

void blocks_domain_init(BlocksDomain *d, Explorer *explorer) {
  *d = (BlocksDomain){.domain = {.operations = &operations}, .explorer = explorer, .terms = explorer_terms(explorer)};
  d->account = explorer_account(explorer);
  predicate_domain_init(&d->predicate, explorer);
  formulas_init(&d->formulas, explorer_transitions(explorer), NULL, d->account);
  BlockLabelVector_init(&d->labels, d->account);
  BlockLabelVector_resize(&d->labels, LABEL_FALSE + 1);
  d->empty_path = path_begin(&d->formulas);
  BlockLabel root = {.start = LABEL_TRUE, .path = path_begin_initially(&d->formulas)};
  d->root = add_label(d, root);
  ByteVector_init(&d->heads, d->account);
  find_heads(d);
  d->solver = solver_new(SOLVER_AUTOMATIC, d->terms, d->account, explorer_budget(explorer));
  TermVector_init(&d->conditions, d->account);
}
