#include "order/settle.h"

#include "order/deadlock_goal.h"
#include "program/settled.h"

static bool is_settled(const Program *p, const Goal *goal) {
  if (goal->kind == GOAL_ERROR) return p->steps.data[goal->steps[0]].excused;
  return goal_is_race(goal->kind) && race_is_settled(p, goal->steps[0], goal->steps[1], goal->object);
}

static void settle(Events *events, Solver *solver, Goal *goal) {
  goal->settled = true;
  if (goal->kind != GOAL_ERROR || !goal->in_section) return;
  Term ends = conjunction_term(&events->guards, goal->guard);
  solver_assert(solver, term_not(solver->store, ends));
}

bool settle_goals(Events *events, Solver *solver, size_t first) {
  const Program *p = events->program;
  assert(first <= p->settled.count);
  for (size_t i = first; i < p->settled.count; i++)
    if (settled_is_passed(p->settled.data[i])) return false;
  for (size_t i = 0; i < events->goals.count; i++) {
    Goal *goal = &events->goals.data[i];
    if (!goal->settled && is_settled(p, goal)) settle(events, solver, goal);
  }
  size_t facts = events->facts.count;
  deadlock_goal_exclude(events, first);
  for (size_t i = facts; i < events->facts.count; i++) solver_assert(solver, events->facts.data[i]);
  return true;
}
