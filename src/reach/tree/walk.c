#include "reach/tree/walk.h"

void walk_init(Walk *walk, const Transitions *transitions, const Tree *tree, Account *account) {
  *walk = (Walk){.transitions = transitions, .tree = tree, .terms = transitions->program->terms, .account = account};
  WalkStepVector_init(&walk->steps, account);
  map_init(&walk->values, account);
  map_init(&walk->initial, account);
  UpdateVector_init(&walk->trail, account);
  TermVector_init(&walk->inputs, account);
  map_init(&walk->substitution, account);
  map_init(&walk->cache, account);
}

void walk_free(Walk *walk) {
  map_free(&walk->cache);
  map_free(&walk->substitution);
  TermVector_free(&walk->inputs);
  UpdateVector_free(&walk->trail);
  map_free(&walk->initial);
  map_free(&walk->values);
  WalkStepVector_free(&walk->steps);
}

Term walk_initial(Walk *walk, Term variable) {
  Term initial = transitions_initial(walk->transitions, variable);
  if (initial != TERM_NONE) return initial;
  uint64_t known;
  if (map_get(&walk->initial, variable, &known)) return (Term)known;
  const char *name = term_variable_name(walk->terms, variable);
  initial = term_variable(walk->terms, term_sort(walk->terms, variable), name);
  map_put(&walk->initial, variable, initial);
  return initial;
}

static void add_value(void *context, Term variable) {
  Walk *walk = context;
  if (term_variable_index(walk->terms, variable) >= walk->transitions->state_limit) return; // an input
  if (map_contains(&walk->substitution, variable)) return;
  Term value = (Term)map_get_or(&walk->values, variable, TERM_NONE);
  map_put(&walk->substitution, variable, value != TERM_NONE ? value : walk_initial(walk, variable));
}

// Replaces all state variables of the term by their values. Variables that `substitution` already contains keep their
// entries.
static Term substitute(Walk *walk, Term t) {
  term_each_variable(walk->terms, t, add_value, walk);
  return term_substitute(walk->terms, t, &walk->substitution, &walk->cache);
}

Term walk_value(Walk *walk, Term t) {
  map_clear(&walk->substitution);
  map_clear(&walk->cache);
  return substitute(walk, t);
}

static void set_value(Walk *walk, Term variable, Term value) {
  Term old = (Term)map_get_or(&walk->values, variable, TERM_NONE);
  UpdateVector_push(&walk->trail, (Update){.variable = variable, .value = old});
  map_put(&walk->values, variable, value);
}

bool walk_is_excluded(const Walk *walk) {
  return walk->steps.count > 0 && walk->steps.data[walk->steps.count - 1].excluded;
}

static void go(Walk *walk, NodeId node) {
  const Transitions *t = walk->transitions;
  EdgeId edge = tree_node(walk->tree, node)->edge;
  assert(edge < t->edges.count);
  const Transition *transition = &t->edges.data[edge];
  WalkStep step = {.node = node, .edge = edge, .trail = (uint32_t)walk->trail.count};
  step.inputs = (uint32_t)walk->inputs.count;
  map_clear(&walk->substitution);
  map_clear(&walk->cache);
  for (uint32_t i = 0; i < transition->fresh_count; i++) {
    Term fresh = t->fresh.data[transition->first_fresh + i];
    Term instance = term_variable(walk->terms, term_sort(walk->terms, fresh), term_variable_name(walk->terms, fresh));
    TermVector_push(&walk->inputs, instance);
    map_put(&walk->substitution, fresh, instance);
  }
  step.condition = substitute(walk, transition->guard);
  step.excluded = walk_is_excluded(walk) || term_is_false(walk->terms, step.condition);
  TermVector values;
  TermVector_init(&values, walk->account);
  for (uint32_t i = 0; i < transition->update_count; i++)
    TermVector_push(&values, substitute(walk, t->updates.data[transition->first_update + i].value));
  for (uint32_t i = 0; i < transition->update_count; i++)
    set_value(walk, t->updates.data[transition->first_update + i].variable, values.data[i]);
  TermVector_free(&values);
  WalkStepVector_push(&walk->steps, step);
}

static void go_back(Walk *walk) {
  WalkStep step = WalkStepVector_pop(&walk->steps);
  while (walk->trail.count > step.trail) {
    Update old = UpdateVector_pop(&walk->trail);
    map_put(&walk->values, old.variable, old.value);
  }
  walk->inputs.count = step.inputs;
}

void walk_reset(Walk *walk) {
  while (walk->steps.count > 0) go_back(walk);
}

void walk_to(Walk *walk, NodeId node) {
  U32Vector missing; // nodes to go to, last first
  U32Vector_init(&missing, walk->account);
  while (walk->steps.count > tree_node(walk->tree, node)->depth) go_back(walk);
  NodeId at = node;
  while (tree_node(walk->tree, at)->depth > walk->steps.count) {
    U32Vector_push(&missing, at);
    at = tree_node(walk->tree, at)->parent;
  }
  while (walk->steps.count > 0 && WalkStepVector_last(&walk->steps)->node != at) {
    U32Vector_push(&missing, at);
    at = tree_node(walk->tree, at)->parent;
    go_back(walk);
  }
  for (size_t i = missing.count; i-- > 0;) go(walk, missing.data[i]);
  U32Vector_free(&missing);
  assert(walk->steps.count == tree_node(walk->tree, node)->depth);
}
