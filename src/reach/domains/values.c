#include "reach/domains/values.h"

#include "reach/domains/fact.h"
#include "reach/tree/regrow.h"

_Static_assert((int)LABEL_TRUE == (int)CONJUNCTION_TRUE && (int)LABEL_FALSE == (int)CONJUNCTION_FALSE,
               "labels are conjunctions");

static ExplicitDomain *of(Domain *domain) { return (ExplicitDomain *)domain; }

// --- facts ---

static Term fact(ExplicitDomain *d, Term variable, Term value) { return term_eq(d->terms, variable, value); }

// Sets `known` to the facts of the label.
static void know_label(ExplicitDomain *d, LabelId label) {
  map_clear(&d->known);
  map_clear(&d->cache);
  TermVector_clear(&d->learned);
  uint32_t count;
  const Term *literals = conjunction_literals(&d->labels, label, &count);
  for (uint32_t i = 0; i < count; i++) {
    Term variable = TERM_NONE, value = TERM_NONE;
    bool is_fact = fact_read(d->terms, literals[i], &variable, &value);
    assert(is_fact);
    (void)is_fact;
    map_put(&d->known, variable, value);
  }
}

static Term evaluate(ExplicitDomain *d, Term t) { return term_substitute(d->terms, t, &d->known, &d->cache); }

// Adds the facts that are conjuncts of a condition that holds. True: one is new.
static bool learn(ExplicitDomain *d, Term condition) {
  if (term_operator(d->terms, condition) == TERM_AND) {
    bool first = learn(d, term_child(d->terms, condition, 0));
    return learn(d, term_child(d->terms, condition, 1)) || first;
  }
  Term variable, value;
  if (!fact_read(d->terms, condition, &variable, &value) || map_contains(&d->known, variable)) return false;
  map_put(&d->known, variable, value);
  TermVector_push(&d->learned, variable);
  map_clear(&d->cache);
  return true;
}

// Assumes the condition and learns facts from it. False: it contradicts the known values.
static bool assume(ExplicitDomain *d, Term condition) {
  for (bool more = true; more;) {
    condition = evaluate(d, condition);
    if (term_is_false(d->terms, condition)) return false;
    more = learn(d, condition);
  }
  return true;
}

// --- post ---

// A post: conditions are assumed one after the other. Then, while a tracked variable has no known value after the edge
// but only few possible ones, each of these values is followed as a branch.
typedef struct Post {
  ExplicitDomain *d;
  const Move *move;
  const Transition *transition;
  const Update *updates;
  TrackedSet tracked;
  TermVector conditions; // over the state before the edge: the guard, then the values that were chosen
  size_t chosen_from;    // index of the first condition about a chosen value
  Map chosen;            // variable -> its value after the edge in the current branch; TERM_NONE: not chosen any more
  TermVector given_up;   // variables with too many values
  ValueBranchVector *branches;
} Post;

static bool is_updated(const Post *post, Term variable) {
  for (uint32_t i = 0; i < post->transition->update_count; i++)
    if (post->updates[i].variable == variable) return true;
  return false;
}

static bool is_tracked(const Post *post, Term variable) {
  return tracked_has(&post->d->tracking, post->tracked, variable);
}

// The label after the edge: the facts of the label before and the learned facts whose variables do not change, and the
// facts about variables that change.
static LabelId label_of_known(const Post *post, const TermVector *values) {
  ExplicitDomain *d = post->d;
  TermVector *facts = &d->facts;
  TermVector_clear(facts);
  uint32_t count;
  const Term *literals = conjunction_literals(&d->labels, post->move->before, &count);
  for (uint32_t i = 0; i < count; i++) {
    Term variable = TERM_NONE, value;
    fact_read(d->terms, literals[i], &variable, &value);
    if (is_updated(post, variable)) continue;
    // A fact of a label is tracked somewhere, so with a global precision it is tracked here.
    if (!d->tracking.local || is_tracked(post, variable)) TermVector_push(facts, literals[i]);
  }
  for (size_t i = 0; i < d->learned.count; i++) {
    Term variable = d->learned.data[i];
    if (is_tracked(post, variable) && !is_updated(post, variable))
      TermVector_push(facts, fact(d, variable, (Term)map_get_or(&d->known, variable, TERM_NONE)));
  }
  for (uint32_t i = 0; i < post->transition->update_count; i++)
    if (term_is_constant(d->terms, values->data[i]) && is_tracked(post, post->updates[i].variable))
      TermVector_push(facts, fact(d, post->updates[i].variable, values->data[i]));
  return conjunction_of(&d->labels, facts->data, facts->count);
}

// Assumes all conditions. False: the known values show that they contradict each other.
static bool assume_conditions(Post *post) {
  ExplicitDomain *d = post->d;
  know_label(d, post->move->before);
  for (size_t known = SIZE_MAX; known != d->known.count;) { // facts from later conditions may decide earlier ones
    known = d->known.count;
    for (size_t i = 0; i < post->conditions.count; i++)
      if (!assume(d, post->conditions.data[i])) return false;
    if (post->conditions.count < 2) break;
  }
  return true;
}

static void find_values(Post *post, TermVector *values) {
  ExplicitDomain *d = post->d;
  for (uint32_t i = 0; i < post->transition->update_count; i++) {
    Term value = post->updates[i].value, variable = post->updates[i].variable;
    if (is_tracked(post, variable)) value = evaluate(d, value);
    Term chosen = (Term)map_get_or(&post->chosen, variable, TERM_NONE);
    TermVector_push(values, chosen != TERM_NONE ? chosen : value);
  }
}

// --- enumeration ---

typedef struct Target {
  Term variable, value; // TERM_NONE: there is none
} Target;

typedef struct TargetFinder {
  const Post *post;
  Target target;
} TargetFinder;

static bool is_given_up(const Post *post, Term variable) {
  for (size_t i = 0; i < post->given_up.count; i++)
    if (post->given_up.data[i] == variable) return true;
  return false;
}

static void consider(void *context, Term variable) {
  TargetFinder *finder = context;
  const Post *post = finder->post;
  if (finder->target.variable != TERM_NONE || is_given_up(post, variable)) return;
  if (!is_tracked(post, variable) || is_updated(post, variable)) return;
  finder->target = (Target){.variable = variable, .value = variable};
}

// A tracked variable whose value after the edge is not known: one that is assigned, or that a condition mentions.
static Target find_target(const Post *post, const TermVector *values, const TermVector *residual) {
  TargetFinder finder = {.post = post};
  for (uint32_t i = 0; i < post->transition->update_count; i++) {
    Term variable = post->updates[i].variable;
    if (term_is_constant(post->d->terms, values->data[i]) || is_given_up(post, variable)) continue;
    if (is_tracked(post, variable)) return (Target){.variable = variable, .value = values->data[i]};
  }
  for (size_t i = 0; i < residual->count; i++) term_each_variable(post->d->terms, residual->data[i], consider, &finder);
  return finder.target;
}

// The conditions with the known values put in, except those that became constant.
static void find_residual(Post *post, TermVector *residual) {
  for (size_t i = 0; i < post->conditions.count; i++) {
    Term rest = evaluate(post->d, post->conditions.data[i]);
    if (!term_is_constant(post->d->terms, rest)) TermVector_push(residual, rest);
  }
}

static void follow(Post *post, unsigned room);

static void follow_each(Post *post, Target target, const TermVector *values, unsigned room) {
  TermStore *terms = post->d->terms;
  for (size_t i = 0; i < values->count; i++) {
    TermVector_push(&post->conditions, term_eq(terms, target.value, values->data[i]));
    if (target.value != target.variable) map_put(&post->chosen, target.variable, values->data[i]);
    follow(post, room / (unsigned)values->count);
    TermVector_pop(&post->conditions);
  }
  map_put(&post->chosen, target.variable, TERM_NONE);
}

// Splits by the values of one target. False: no target has few enough values.
static bool split(Post *post, const TermVector *values, const TermVector *residual, unsigned room) {
  ExplicitDomain *d = post->d;
  TermVector few;
  TermVector_init(&few, d->account);
  size_t given_up = post->given_up.count;
  bool done = false;
  for (Target target; !done && (target = find_target(post, values, residual)).variable != TERM_NONE;) {
    TermVector_clear(&few);
    done = enumerate_values(&d->enumeration, residual->data, residual->count, target.value, &few) && few.count <= room;
    TermVector_push(&post->given_up, target.variable); // if it was chosen, this holds for the branches
    if (done) follow_each(post, target, &few, room);
  }
  post->given_up.count = given_up;
  TermVector_free(&few);
  return done;
}

static Term condition_of_branch(const Post *post) {
  Term condition = term_true(post->d->terms);
  for (size_t i = post->chosen_from; i < post->conditions.count; i++)
    condition = term_and(post->d->terms, condition, post->conditions.data[i]);
  return condition;
}

// Appends the labels after the edge, up to `room`.
static void follow(Post *post, unsigned room) {
  ExplicitDomain *d = post->d;
  if (!assume_conditions(post)) return;
  TermVector values, residual;
  TermVector_init(&values, d->account);
  TermVector_init(&residual, d->account);
  bool done = false;
  if (!post->move->missed) {
    find_values(post, &values);
    if (room > 1) find_residual(post, &residual);
    done = room > 1 && split(post, &values, &residual, room);
  }
  if (!done) {
    LabelId label = post->move->missed ? LABEL_TRUE : label_of_known(post, &values);
    ValueBranchVector_push(post->branches, (ValueBranch){.label = label, .condition = condition_of_branch(post)});
  }
  TermVector_free(&residual);
  TermVector_free(&values);
}

void explicit_post(ExplicitDomain *d, const Move *move, const Term *also, size_t count, ValueBranchVector *branches) {
  const Transitions *t = explorer_transitions(d->explorer);
  const Transition *transition = &t->edges.data[move->edge];
  assert(move->before != LABEL_FALSE);
  Post post = {.d = d, .move = move, .transition = transition, .branches = branches};
  post.updates = t->updates.data + transition->first_update;
  post.tracked = tracking_set(&d->tracking, move->to);
  TermVector_init(&post.conditions, d->account);
  TermVector_init(&post.given_up, d->account);
  map_init(&post.chosen, d->account);
  for (size_t i = 0; i < count; i++) TermVector_push(&post.conditions, also[i]);
  Term guard = move->missed ? transition->missed : transition->guard;
  if (!term_is_true(d->terms, guard)) TermVector_push(&post.conditions, guard);
  post.chosen_from = post.conditions.count;
  follow(&post, d->enumeration.most);
  map_free(&post.chosen);
  TermVector_free(&post.given_up);
  TermVector_free(&post.conditions);
}

static void post(Domain *domain, const Move *move, U32Vector *labels) {
  ExplicitDomain *d = of(domain);
  ValueBranchVector branches;
  ValueBranchVector_init(&branches, d->account);
  explicit_post(d, move, NULL, 0, &branches);
  for (size_t i = 0; i < branches.count; i++) U32Vector_push(labels, branches.data[i].label);
  ValueBranchVector_free(&branches);
}

static LabelId initial(Domain *domain) {
  ExplicitDomain *d = of(domain);
  TermVector facts;
  TermVector_init(&facts, d->account);
  size_t count;
  TrackedSet set = tracking_set(&d->tracking, explorer_initial_control(d->explorer));
  const Term *variables = tracked_items(&d->tracking, set, &count);
  for (size_t i = 0; i < count; i++) {
    Term value = transitions_initial(explorer_transitions(d->explorer), variables[i]);
    if (value != TERM_NONE && term_is_constant(d->terms, value)) TermVector_push(&facts, fact(d, variables[i], value));
  }
  LabelId label = conjunction_of(&d->labels, facts.data, facts.count);
  TermVector_free(&facts);
  return label;
}

// --- refining ---

// Variables that are tracked everywhere tentatively.
typedef struct Growth {
  ExplicitDomain *d;
  const GoalPath *path;
  TermVector trials;
  Map seen;
} Growth;

static void add_candidate(void *context, Term variable) {
  Growth *growth = context;
  ExplicitDomain *d = growth->d;
  if (term_variable_index(d->terms, variable) >= explorer_transitions(d->explorer)->state_limit) return;
  if (sort_is_array(term_sort(d->terms, variable)) || tracking_is_everywhere(&d->tracking, variable)) return;
  if (map_contains(&growth->seen, variable)) return;
  map_put(&growth->seen, variable, 1);
  TermVector_push(&growth->trials, variable);
}

// Adds all variables on the path that may matter: those of guards, and those of assignments.
static void add_candidates(Growth *growth) {
  const Transitions *t = explorer_transitions(growth->d->explorer);
  for (size_t i = 0; i < growth->path->edges.count; i++) {
    const Transition *transition = &t->edges.data[growth->path->edges.data[i]];
    term_each_variable(growth->d->terms, transition->guard, add_candidate, growth);
    if (transition->missed != TERM_NONE)
      term_each_variable(growth->d->terms, transition->missed, add_candidate, growth);
    for (uint32_t k = 0; k < transition->update_count; k++) {
      const Update *update = &t->updates.data[transition->first_update + k];
      add_candidate(growth, update->variable);
      term_each_variable(growth->d->terms, update->value, add_candidate, growth);
    }
  }
}

// Adds only the variables of interpolants: with all variables, enumeration may meet its limit.
static void add_interpolated(Growth *growth) {
  Interpolation *interpolation = &growth->d->interpolation;
  if (interpolate_goal(interpolation, growth->path->goal) != PATH_INFEASIBLE) return;
  for (size_t i = 0; i < interpolation->formulas.count; i++)
    term_each_variable(growth->d->terms, interpolation->formulas.data[i], add_candidate, growth);
}

static void track(Growth *growth, size_t from, size_t to, bool yes) {
  Tracking *tracking = &growth->d->tracking;
  for (size_t i = from; i < to; i++) {
    if (yes)
      tracking_add(tracking, growth->trials.data[i], NO_ID);
    else
      tracking_drop(tracking, growth->trials.data[i]);
  }
}

// Stops tracking the trials that are not needed, by halves, because most are not needed. Appends the others to
// `needed`.
static void leave_out(Growth *growth, size_t from, size_t to, TermVector *needed) {
  if (from == to) return;
  track(growth, from, to, false);
  if (goal_path_is_excluded(growth->path)) return;
  track(growth, from, to, true);
  if (to - from == 1) {
    TermVector_push(needed, growth->trials.data[from]);
    return;
  }
  size_t middle = from + (to - from) / 2;
  leave_out(growth, from, middle, needed);
  leave_out(growth, middle, to, needed);
}

// Tracks a minimal set of the trials that excludes the path. False: not even all of them do, and none is tracked.
static bool keep_needed(Growth *growth, TermVector *needed) {
  track(growth, 0, growth->trials.count, true);
  bool excluded = goal_path_is_excluded(growth->path);
  if (excluded)
    leave_out(growth, 0, growth->trials.count, needed);
  else
    track(growth, 0, growth->trials.count, false);
  return excluded;
}

static void growth_open(Growth *growth, ExplicitDomain *d, const GoalPath *path) {
  *growth = (Growth){.d = d, .path = path};
  TermVector_init(&growth->trials, d->account);
  map_init(&growth->seen, d->account);
}

static void growth_close(Growth *growth) {
  map_free(&growth->seen);
  TermVector_free(&growth->trials);
}

// Tracks the variables at the locations of threads on the path instead of everywhere, if this still excludes the path.
static void make_local(ExplicitDomain *d, const GoalPath *path, const TermVector *variables) {
  for (size_t v = 0; v < variables->count; v++) tracking_drop(&d->tracking, variables->data[v]);
  for (size_t v = 0; v < variables->count; v++)
    for (size_t i = 0; i < path->nodes.count; i++)
      tracking_add_at(&d->tracking, variables->data[v], tree_node(path->tree, path->nodes.data[i])->control);
  if (goal_path_is_excluded(path)) return;
  for (size_t v = 0; v < variables->count; v++) tracking_add(&d->tracking, variables->data[v], NO_ID);
}

bool explicit_grow(ExplicitDomain *d, const GoalPath *path) {
  GoalPath mine = *path;
  mine.domain = &d->domain;
  TermVector needed;
  TermVector_init(&needed, d->account);
  bool excluded = false;
  for (unsigned round = 0; round < 2 && !excluded; round++) {
    Growth growth;
    growth_open(&growth, d, &mine);
    if (round == 0)
      add_candidates(&growth);
    else
      add_interpolated(&growth);
    excluded = keep_needed(&growth, &needed);
    growth_close(&growth);
    if (d->enumeration.most == 0) break; // without enumeration, additional tracked variables do no harm
  }
  if (excluded && d->tracking.local) make_local(d, &mine, &needed);
  TermVector_free(&needed);
  return excluded;
}

static PathAnswer refine(Domain *domain, NodeId goal) {
  ExplicitDomain *d = of(domain);
  PathAnswer answer = goal_check(explorer_feasibility(d->explorer), goal, NULL);
  d->domain.undecided = NULL;
  if (answer != PATH_INFEASIBLE) return answer;
  explorer_statistics(d->explorer)->refinements++;
  GoalPath path;
  goal_path_open(&path, domain, d->explorer, goal);
  answer = explicit_grow(d, &path) ? PATH_REGROW : PATH_UNDECIDED;
  if (answer == PATH_REGROW)
    d->domain.pivot = goal_path_pivot(&path);
  else
    d->domain.undecided = "a path that the values of variables do not exclude";
  goal_path_close(&path);
  return answer;
}

// --- the domain ---

static bool covers(Domain *domain, NodeId node, NodeId coverer) {
  const Tree *tree = explorer_tree(of(domain)->explorer);
  return conjunction_implies(&of(domain)->labels, tree_node(tree, node)->label, tree_node(tree, coverer)->label);
}

static bool parts_of(Domain *domain, LabelId label, LabelPartVector *parts) {
  ExplicitDomain *d = of(domain);
  uint32_t count;
  const Term *literals = conjunction_literals(&d->labels, label, &count);
  for (uint32_t i = 0; i < count; i++) {
    Term variable = TERM_NONE, value;
    if (!fact_read(d->terms, literals[i], &variable, &value)) return false;
    LabelPartVector_push(parts, (LabelPart){.about = variable, .what = literals[i]});
  }
  return true;
}

static Term formula(const Domain *domain, LabelId label) {
  return conjunction_term(&((const ExplicitDomain *)domain)->labels, label);
}

static void free_domain(Domain *domain) {
  ExplicitDomain *d = of(domain);
  TermVector_free(&d->facts);
  TermVector_free(&d->learned);
  map_free(&d->cache);
  map_free(&d->known);
  interpolation_free(&d->interpolation);
  enumeration_free(&d->enumeration);
  tracking_free(&d->tracking);
  conjunction_table_free(&d->labels);
}

static const DomainOperations operations = {.name = "explicit",
                                            .free = free_domain,
                                            .initial = initial,
                                            .post = post,
                                            .covers = covers,
                                            .parts = parts_of,
                                            .refine = refine,
                                            .formula = formula};

void explicit_domain_init(ExplicitDomain *d, Explorer *explorer) {
  *d = (ExplicitDomain){.domain = {.operations = &operations}, .explorer = explorer, .terms = explorer_terms(explorer)};
  d->account = explorer_account(explorer);
  conjunction_table_init(&d->labels, d->terms, d->account);
  tracking_init(&d->tracking, explorer_controls(explorer), explorer_options(explorer)->local_precision, d->account);
  enumeration_init(&d->enumeration, d->terms, explorer_options(explorer)->enumerate, explorer_budget(explorer),
                   d->account);
  interpolation_init(&d->interpolation, explorer_feasibility(explorer), d->account);
  map_init(&d->known, d->account);
  TermVector_init(&d->learned, d->account);
  TermVector_init(&d->facts, d->account);
  map_init(&d->cache, d->account);
}
