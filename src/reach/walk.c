#include "reach/walk.h"

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

// Values of all variables in the term, beside what is in `substitution` already.
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

static void go(Walk *walk, NodeId node) {
  const Transitions *t = walk->transitions;
  EdgeId edge = tree_node(walk->tree, node)->edge;
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
}

// --- weakest preconditions ---

void preconditions_init(Preconditions *w, const Transitions *transitions, Solver *solver, Account *account) {
  *w = (Preconditions){.transitions = transitions, .terms = transitions->program->terms, .solver = solver};
  map_init(&w->substitution, account);
  map_init(&w->cache, account);
}

void preconditions_free(Preconditions *w) {
  map_free(&w->cache);
  map_free(&w->substitution);
}

static Term replace(Preconditions *w, Term formula, Term variable, Term value) {
  map_clear(&w->substitution);
  map_clear(&w->cache);
  map_put(&w->substitution, variable, value);
  return term_substitute(w->terms, formula, &w->substitution, &w->cache);
}

// A formula without `variable` that implies `formula` for all its values: of a disjunction, what does not mention it.
static Term drop_variable(Preconditions *w, Term formula, Term variable) {
  if (!term_mentions(w->terms, formula, variable)) return formula;
  TermOperator op = term_operator(w->terms, formula);
  if (op == TERM_OR || op == TERM_AND) {
    Term a = drop_variable(w, term_child(w->terms, formula, 0), variable);
    Term b = drop_variable(w, term_child(w->terms, formula, 1), variable);
    return term_binary(w->terms, op, a, b);
  }
  if (op == TERM_NOT) { // not (a and b) is a disjunction of negations
    Term inside = term_child(w->terms, formula, 0);
    TermOperator inner = term_operator(w->terms, inside);
    if (inner == TERM_AND || inner == TERM_OR) {
      Term a = drop_variable(w, term_not(w->terms, term_child(w->terms, inside, 0)), variable);
      Term b = drop_variable(w, term_not(w->terms, term_child(w->terms, inside, 1)), variable);
      return term_binary(w->terms, inner == TERM_AND ? TERM_OR : TERM_AND, a, b);
    }
  }
  return term_false(w->terms);
}

// The disjuncts of a formula, negations pushed in as far as conjunctions go.
static void list_disjuncts(const Preconditions *w, Term formula, bool negated, TermVector *out) {
  TermOperator op = term_operator(w->terms, formula);
  if (op == TERM_NOT) {
    list_disjuncts(w, term_child(w->terms, formula, 0), !negated, out);
  } else if (op == (negated ? TERM_AND : TERM_OR)) {
    list_disjuncts(w, term_child(w->terms, formula, 0), negated, out);
    list_disjuncts(w, term_child(w->terms, formula, 1), negated, out);
  } else {
    TermVector_push(out, negated ? term_not(w->terms, formula) : formula);
  }
}

// If `x != e or rest` is the formula, it holds for all x exactly if the rest does for x = e. TERM_NONE: it is not.
static Term resolve_equality(Preconditions *w, Term formula, Term variable) {
  TermVector disjuncts;
  TermVector_init(&disjuncts, w->substitution.account);
  list_disjuncts(w, formula, false, &disjuncts);
  Term result = TERM_NONE;
  for (size_t i = 0; i < disjuncts.count && result == TERM_NONE; i++) {
    Term literal = disjuncts.data[i];
    if (term_operator(w->terms, literal) != TERM_NOT) continue;
    Term equality = term_child(w->terms, literal, 0);
    if (term_operator(w->terms, equality) != TERM_EQ) continue;
    Term a = term_child(w->terms, equality, 0), b = term_child(w->terms, equality, 1);
    if (b == variable) {
      b = a;
      a = variable;
    }
    if (a != variable || term_mentions(w->terms, b, variable)) continue;
    result = replace(w, formula, variable, b);
  }
  TermVector_free(&disjuncts);
  return result;
}

// For all values of `variable`.
static Term for_all(Preconditions *w, Term formula, Term variable) {
  enum { WIDEST_SPLIT = 3 };
  unsigned width = term_width(w->terms, variable);
  if (width <= WIDEST_SPLIT) {
    Term all = term_true(w->terms);
    for (Bits v = 0; v < (Bits)1 << width; v++)
      all = term_and(w->terms, all, replace(w, formula, variable, term_constant(w->terms, width, v)));
    return all;
  }
  Term resolved = resolve_equality(w, formula, variable);
  if (resolved != TERM_NONE) return resolved;
  Term negation = term_not(w->terms, formula);
  if (solver_check(w->solver, &negation, 1) == SOLVER_UNSAT) return term_true(w->terms);
  return drop_variable(w, formula, variable);
}

Term precondition(Preconditions *w, EdgeId edge, Term formula, bool guarded) {
  const Transitions *t = w->transitions;
  const Transition *transition = &t->edges.data[edge];
  map_clear(&w->substitution);
  map_clear(&w->cache);
  for (uint32_t i = 0; i < transition->update_count; i++) {
    const Update *update = &t->updates.data[transition->first_update + i];
    map_put(&w->substitution, update->variable, update->value);
  }
  Term before = term_substitute(w->terms, formula, &w->substitution, &w->cache);
  if (guarded) before = term_implies(w->terms, transition->guard, before);
  for (uint32_t i = 0; i < transition->fresh_count; i++) {
    Term fresh = t->fresh.data[transition->first_fresh + i];
    if (term_mentions(w->terms, before, fresh)) before = for_all(w, before, fresh);
  }
  return before;
}
