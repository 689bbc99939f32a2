// The goals of a search with decision diagrams, and which states of a set are bad.
#include "circuit/methods/bdd_system.h"

static const CircuitEdge *find_goal(const CircuitEdgeVector *goals, AigLiteral possible) {
  for (size_t i = 0; i < goals->count; i++)
    if (goals->data[i].possible == possible) return &goals->data[i];
  return NULL;
}

static void add_goal(BddSystem *y, AigLiteral bad) {
  BddGoal goal = {.edge = find_goal(&y->c->errors, bad), .literal = bad, .states = BDD_FALSE};
  if (!goal.edge) goal.edge = find_goal(&y->c->cuts, bad);
  if (goal.edge && goal.edge->goal == GOAL_UNSUPPORTED) goal.edge = NULL; // such an edge has no relation
  // A joint edge is about more than one thread's location.
  if (goal.edge && program_joint(y->c->transitions->program, goal.edge->edge)) goal.edge = NULL;
  BddGoalVector_push(&y->goals, goal);
}

// Each part of a disjunction is a goal of its own.
void bdd_system_set_goal(BddSystem *y, AigLiteral bad) {
  for (size_t i = 0; i < y->goals.count; i++) bdd_space_drop(y->goals.data[i].states);
  y->goals.count = 0;
  U32Vector open;
  U32Vector_init(&open, y->account);
  if (bad != AIG_FALSE) U32Vector_push(&open, bad);
  while (open.count > 0 && !bdd_system_flaw(y)) {
    AigLiteral part = U32Vector_pop(&open);
    uint32_t node = aig_node(part);
    if (aig_is_inverted(part) && aig_is_gate(&y->c->aig, node)) {
      U32Vector_push(&open, aig_not(aig_left(&y->c->aig, node)));
      U32Vector_push(&open, aig_not(aig_right(&y->c->aig, node)));
    } else {
      add_goal(y, part);
    }
  }
  U32Vector_free(&open);
}

static Bdd bad_by_literal(BddSystem *y, BddGoal *goal, Bdd states) {
  if (!goal->built) {
    goal->built = true;
    bdd_space_replace(&goal->states, bdd_system_translate(y, goal->literal));
    bdd_space_replace(&goal->states, bdd_space_exists(goal->states, y->inputs));
    bdd_translator_forget(&y->translator);
  }
  return bdd_space_and(states, goal->states);
}

static Bdd bad_by_edge(BddSystem *y, const CircuitEdge *goal, Bdd states) {
  assert(goal->goal != GOAL_UNSUPPORTED);
  LocationId from = y->c->transitions->program->edges.data[goal->edge].from;
  Bdd at = bdd_system_at_place(y, goal->thread, y->c->place_of.data[from]), here = bdd_space_restrict(states, at);
  if (here != BDD_FALSE) bdd_space_and_into(&here, (Bdd)y->allowed.data[goal->thread]);
  if (here != BDD_FALSE && !bdd_system_flaw(y))
    bdd_space_replace(&here, bdd_states_enabled(&y->states, here, goal->edge, goal->goal == GOAL_MISSED));
  bdd_space_and_into(&here, at);
  bdd_space_drop(at);
  return here;
}

Bdd bdd_system_bad(BddSystem *y, Bdd states) {
  Bdd bad = BDD_FALSE;
  for (size_t i = 0; i < y->goals.count && bad == BDD_FALSE && !bdd_system_flaw(y); i++) {
    BddGoal *goal = &y->goals.data[i];
    bad = goal->edge ? bad_by_edge(y, goal->edge, states) : bad_by_literal(y, goal, states);
  }
  return bad;
}
