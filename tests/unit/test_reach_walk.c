// Walks: the values at the end of a path, wherever the walk was before; and preconditions against random states.
#include "reach/refine/precondition.h"
#include "reach/tree/walk.h"
#include "test_replay_support.h"

enum { MAIN = 0, FIRST = 1 };

typedef struct Forest {
  Build b;
  Transitions t;
  ControlTable controls;
  Tree tree;
  uint64_t seed;
  TermVector variables; // all state variables
  Map values;           // variable -> value, of whatever is evaluated
} Forest;

static uint64_t random_number(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

static Bits value_of(void *context, Term variable) {
  uint64_t value = 0;
  assert_true(map_get(context, variable, &value));
  return value;
}

static uint64_t evaluate(Forest *f, Term term) {
  return (uint64_t)term_evaluate(f->b.p->terms, term, &(TermValuation){.value_of = value_of, .context = &f->values});
}

static uint64_t cut(Forest *f, Term variable, uint64_t value) {
  return value & (uint64_t)bits_mask(term_width(f->b.p->terms, variable));
}

// --- the program and its tree ---

static Term plus(Build *b, VariableId v, uint64_t value) {
  return term_add_constant(b->p->terms, build_value(b, v), value);
}

// Two threads with inputs of several widths, an indeterminate object, a pointer, a loop and a lock.
static void make_program(Build *b) {
  build_begin(b);
  build_thread(b, "main", NO_ID);
  build_thread(b, "worker", MAIN);
  build_create(b, MAIN, FIRST);
  ObjectId x = build_int(b, "x"), y = build_int(b, "y"), mutex = build_int(b, "mutex");
  b->p->objects.data[y].indeterminate = true;
  for (ThreadId t = MAIN; t <= FIRST; t++) {
    VariableId v = build_variable(b, t, 32, "v"), w = build_variable(b, t, 32, "w"), p = build_variable(b, t, 64, "p");
    VariableId bit = build_variable(b, t, 1, "bit");
    LocationId head = b->at[t];
    build_assign(b, t, w, VALUE_INPUT);
    build_assign(b, t, bit, VALUE_INPUT);
    build_assign(b, t, p, term_ite(b->p->terms, build_value(b, bit), build_address(b, x, 0), build_address(b, y, 0)));
    build_lock(b, t, mutex);
    build_load_at(b, t, v, build_value(b, p));
    build_store_at(b, t, build_address(b, x, 0), term_add(b->p->terms, build_value(b, v), build_value(b, w)));
    build_store_at(b, t, build_value(b, p), plus(b, v, 1));
    build_unlock(b, t, mutex);
    build_error_if(b, t, build_equals(b, v, 7));
    LocationId on = build_branch(b, t, term_binary(b->p->terms, TERM_ULT, build_value(b, v), build_value(b, w)));
    build_jump(b, t, head);
    b->at[t] = on;
    build_exit(b, t);
  }
  passes_prepare(b->p, NULL);
}

static void grow(Forest *f, uint64_t seed, unsigned size) {
  *f = (Forest){.seed = seed};
  make_program(&f->b);
  Program *p = f->b.p;
  Account *account = &f->b.account;
  transitions_init(&f->t, p, account);
  control_table_init(&f->controls, p, account);
  tree_init(&f->tree, account);
  map_init(&f->values, account);
  TermVector_init(&f->variables, account);
  for (VariableId v = 0; v < p->variables.count; v++) TermVector_push(&f->variables, variable_term(p, v));
  for (CellId c = 0; c < p->cells.count; c++) TermVector_push(&f->variables, p->cells.data[c].term);
  tree_add(&f->tree, NO_ID, NO_ID, control_initial(&f->controls), 0);
  while (f->tree.nodes.count < size) {
    // Mostly the newest nodes grow, so that the tree gets deep.
    uint32_t count = (uint32_t)f->tree.nodes.count, back = (uint32_t)random_number(&f->seed) % 8;
    NodeId node = back < count && back < 7 ? count - 1 - back : (NodeId)(random_number(&f->seed) % count);
    ControlId control = tree_node(&f->tree, node)->control;
    LocationId at = control_at(&f->controls, control, (ThreadId)(random_number(&f->seed) % 2));
    if (at == NO_ID || p->locations.data[at].out_count == 0) continue;
    const Location *location = &p->locations.data[at];
    EdgeId edge = p->out_edges.data[location->first_out + random_number(&f->seed) % location->out_count];
    ControlId after =
        control_after(&f->controls, control, location->thread, p->edges.data[edge].to, transitions_births(&f->t, edge));
    tree_add(&f->tree, node, edge, after, 0);
  }
}

static void cut_down(Forest *f) {
  TermVector_free(&f->variables);
  map_free(&f->values);
  tree_free(&f->tree);
  control_table_free(&f->controls);
  transitions_free(&f->t);
  build_end(&f->b);
}

// --- walks ---

// The value of an input, by the node whose edge has it; of an initial value, by its variable.
static uint64_t chosen(uint64_t a, uint64_t b) { return hash_mix(a * 1000 + b) % 9; }

// Gives the state variables the values that they have at the node, by the edges from the root on. The condition of the
// last edge is returned.
static uint64_t execute_path(Forest *f, NodeId node) {
  const TreeNode *n = tree_node(&f->tree, node);
  if (n->parent == NO_ID) {
    map_clear(&f->values);
    for (size_t i = 0; i < f->variables.count; i++) {
      Term v = f->variables.data[i], initial = transitions_initial(&f->t, v);
      uint64_t value = initial != TERM_NONE ? (uint64_t)term_constant_value(f->b.p->terms, initial) : chosen(v, 999);
      map_put(&f->values, v, cut(f, v, value));
    }
    return 1;
  }
  execute_path(f, n->parent);
  const Transition *t = &f->t.edges.data[n->edge];
  for (uint32_t i = 0; i < t->fresh_count; i++) {
    Term fresh = f->t.fresh.data[t->first_fresh + i];
    map_put(&f->values, fresh, cut(f, fresh, chosen(node, i)));
  }
  uint64_t condition = evaluate(f, t->guard), values[32];
  assert_true(t->update_count <= 32);
  for (uint32_t i = 0; i < t->update_count; i++) values[i] = evaluate(f, f->t.updates.data[t->first_update + i].value);
  for (uint32_t i = 0; i < t->update_count; i++)
    map_put(&f->values, f->t.updates.data[t->first_update + i].variable, values[i]);
  return condition;
}

// Gives the walk's inputs and initial values the same values.
static void choose_inputs(Forest *f, Walk *walk) {
  for (size_t i = 0; i < walk->steps.count; i++) {
    uint32_t first = walk->steps.data[i].inputs;
    size_t end = i + 1 < walk->steps.count ? walk->steps.data[i + 1].inputs : walk->inputs.count;
    assert_int_equal(end - first, f->t.edges.data[walk->steps.data[i].edge].fresh_count);
    for (uint32_t k = first; k < end; k++) {
      Term input = walk->inputs.data[k];
      map_put(&f->values, input, cut(f, input, chosen(walk->steps.data[i].node, k - first)));
    }
  }
  for (size_t i = 0; i < f->variables.count; i++) {
    Term v = f->variables.data[i], initial = walk_initial(walk, v);
    if (transitions_initial(&f->t, v) == TERM_NONE) map_put(&f->values, initial, cut(f, v, chosen(v, 999)));
  }
}

static void check_walk(Forest *f, Walk *walk, NodeId node) {
  walk_to(walk, node);
  size_t depth = tree_node(&f->tree, node)->depth;
  assert_int_equal(walk->steps.count, depth);
  NodeId at = node;
  for (size_t i = depth; i-- > 0; at = tree_node(&f->tree, at)->parent) {
    assert_int_equal(walk->steps.data[i].node, at);
    assert_int_equal(walk->steps.data[i].edge, tree_node(&f->tree, at)->edge);
    uint64_t condition = execute_path(f, at);
    choose_inputs(f, walk);
    assert_int_equal(evaluate(f, walk->steps.data[i].condition), condition);
  }
  execute_path(f, node);
  choose_inputs(f, walk);
  for (size_t i = 0; i < f->variables.count; i++) {
    Term v = f->variables.data[i];
    assert_int_equal(evaluate(f, walk_value(walk, v)), evaluate(f, v));
  }
}

static void test_walks(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 4; seed++) {
    Forest f;
    grow(&f, seed, 90);
    Walk walk;
    walk_init(&walk, &f.t, &f.tree, &f.b.account);
    uint32_t deepest = 0;
    for (unsigned i = 0; i < 60; i++) {
      NodeId node = (NodeId)(random_number(&f.seed) % f.tree.nodes.count);
      check_walk(&f, &walk, node);
      if (tree_node(&f.tree, node)->depth > deepest) deepest = tree_node(&f.tree, node)->depth;
      if (i % 4) continue;
      Walk fresh; // one that was nowhere before
      walk_init(&fresh, &f.t, &f.tree, &f.b.account);
      check_walk(&f, &fresh, node);
      walk_free(&fresh);
    }
    assert_true(deepest > 8);
    check_walk(&f, &walk, 0);
    walk_free(&walk);
    cut_down(&f);
  }
}

// Going to where the walk is, or below, keeps the instances of the inputs: a model found before stays one.
static void test_walk_on_keeps_inputs(void **state) {
  (void)state;
  Forest f;
  grow(&f, 5, 90);
  Walk walk;
  walk_init(&walk, &f.t, &f.tree, &f.b.account);
  unsigned compared = 0;
  for (NodeId node = 1; node < f.tree.nodes.count; node++) {
    walk_to(&walk, tree_node(&f.tree, node)->parent);
    TermVector before;
    TermVector_init(&before, &f.b.account);
    for (size_t i = 0; i < walk.inputs.count; i++) TermVector_push(&before, walk.inputs.data[i]);
    walk_to(&walk, node);
    assert_true(walk.inputs.count >= before.count);
    for (size_t i = 0; i < before.count; i++, compared++) assert_int_equal(walk.inputs.data[i], before.data[i]);
    TermVector_free(&before);
  }
  assert_true(compared > 100);
  walk_free(&walk);
  cut_down(&f);
}

// --- preconditions ---

static Term random_literal(Forest *f) {
  TermStore *terms = f->b.p->terms;
  Term a = f->variables.data[random_number(&f->seed) % f->variables.count];
  unsigned width = term_width(terms, a);
  Term b = term_constant(terms, width, random_number(&f->seed) % 4);
  for (unsigned tries = 0; tries < 4 && random_number(&f->seed) % 2; tries++) {
    Term other = f->variables.data[random_number(&f->seed) % f->variables.count];
    if (term_width(terms, other) == width) b = other;
  }
  switch (random_number(&f->seed) % 4) {
  case 0: return term_eq(terms, a, b);
  case 1: return term_ne(terms, a, b);
  case 2: return term_binary(terms, TERM_ULE, a, b);
  default: return term_binary(terms, TERM_SLT, b, a);
  }
}

static Term random_formula(Forest *f, unsigned depth) {
  TermStore *terms = f->b.p->terms;
  if (depth == 0) return random_literal(f);
  Term a = random_formula(f, depth - 1), b = random_formula(f, depth - 1);
  switch (random_number(&f->seed) % 4) {
  case 0: return term_and(terms, a, b);
  case 1: return term_or(terms, a, b);
  case 2: return term_not(terms, term_and(terms, a, term_not(terms, b)));
  default: return term_not(terms, term_or(terms, a, b));
  }
}

static void randomise_state(Forest *f) {
  const Program *p = f->b.p;
  map_clear(&f->values);
  for (size_t i = 0; i < f->variables.count; i++) {
    uint64_t value = random_number(&f->seed) % 6;
    if (value == 5) value = p->objects.data[random_number(&f->seed) % p->objects.count].address;
    map_put(&f->values, f->variables.data[i], cut(f, f->variables.data[i], value));
  }
}

typedef struct Tally {
  unsigned held, exact, weaker_exists;
} Tally;

// Does the formula hold after the edge, for these values of its fresh variables? The guard's value in `possible`.
static bool holds_after(Forest *f, EdgeId edge, Term formula, bool *possible) {
  const Transition *t = &f->t.edges.data[edge];
  for (uint32_t i = 0; i < t->fresh_count; i++) {
    Term fresh = f->t.fresh.data[t->first_fresh + i];
    map_put(&f->values, fresh, cut(f, fresh, random_number(&f->seed) % 5));
  }
  *possible = evaluate(f, t->guard);
  uint64_t values[32], saved[32];
  for (uint32_t i = 0; i < t->update_count; i++) values[i] = evaluate(f, f->t.updates.data[t->first_update + i].value);
  for (uint32_t i = 0; i < t->update_count; i++) {
    Term v = f->t.updates.data[t->first_update + i].variable;
    saved[i] = map_get_or(&f->values, v, 0);
    map_put(&f->values, v, values[i]);
  }
  bool holds = evaluate(f, formula);
  for (uint32_t i = 0; i < t->update_count; i++)
    map_put(&f->values, f->t.updates.data[t->first_update + i].variable, saved[i]);
  return holds;
}

static void check_precondition(Forest *f, Preconditions *w, EdgeId edge, bool guarded, Tally *tally) {
  const Transition *t = &f->t.edges.data[edge];
  Term formula = random_formula(f, (unsigned)(random_number(&f->seed) % 3));
  Term before = precondition(w, edge, formula, guarded);
  for (uint32_t i = 0; i < t->fresh_count; i++)
    assert_false(term_mentions(f->b.p->terms, before, f->t.fresh.data[t->first_fresh + i]));
  for (unsigned i = 0; i < 12; i++) {
    randomise_state(f);
    bool required = evaluate(f, before), possible, after = true;
    for (unsigned k = 0; k < (t->fresh_count > 0 ? 6u : 1u); k++) {
      after &= holds_after(f, edge, formula, &possible);
      if (guarded && !possible) after = true;
      if (required) assert_true(after);
    }
    tally->held += required;
    if (t->fresh_count > 0) continue;
    assert_int_equal(required, after); // the weakest one
    tally->exact++;
  }
}

static void test_preconditions(void **state) {
  (void)state;
  Forest f;
  grow(&f, 6, 1);
  Budget budget;
  budget_init(&budget, 0, NULL);
  Solver *solver = solver_new(SOLVER_AUTOMATIC, f.b.p->terms, &f.b.account, &budget);
  Preconditions w;
  preconditions_init(&w, &f.t, solver, &f.b.account);
  Tally plain = {0}, fresh = {0};
  for (EdgeId e = 0; e < f.b.p->edges.count; e++)
    for (unsigned i = 0; i < 40; i++)
      check_precondition(&f, &w, e, i % 2, f.t.edges.data[e].fresh_count > 0 ? &fresh : &plain);
  assert_true(plain.held > 100 && plain.exact > plain.held); // some hold, some do not
  assert_true(fresh.held > 100);
  preconditions_free(&w);
  solver_free(solver);
  cut_down(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_walks),
      cmocka_unit_test(test_walk_on_keeps_inputs),
      cmocka_unit_test(test_preconditions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
