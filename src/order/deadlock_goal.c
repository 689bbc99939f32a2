#include "order/deadlock_goal.h"

#include "program/settled.h"

typedef struct DeadlockGoal {
  Events *events;
  TermStore *terms;
  Term goal; // a variable: this deadlock is looked for
} DeadlockGoal;

static Term guard_term(const DeadlockGoal *d, ConjunctionId guard) {
  return conjunction_term(&d->events->guards, guard);
}

static void add_fact(DeadlockGoal *d, Term condition, Term consequence) {
  Term premise = term_and(d->terms, d->goal, condition);
  TermVector_push(&d->events->facts, term_implies(d->terms, premise, consequence));
}

// The thread, once it is created, stands at one of its stops.
static void stand_still(DeadlockGoal *d, ThreadId thread) {
  const Events *events = d->events;
  Term stands = term_false(d->terms), created = term_bool(d->terms, thread == 0);
  for (size_t i = 0; i < events->stops.count; i++)
    if (events->stops.data[i].thread == thread)
      stands = term_or(d->terms, stands, guard_term(d, events->stops.data[i].guard));
  for (size_t i = 0; i < events->spawns.count; i++)
    if (events->spawns.data[i].thread == thread)
      created = term_or(d->terms, created, guard_term(d, events->spawns.data[i].guard));
  add_fact(d, created, stands);
}

// --- settled deadlocks ---

static bool has_place(const SettledFinding *finding, SettledPlace place) {
  for (uint32_t i = 0; i < finding->place_count; i++)
    if (settled_place_is_same(&finding->places[i], &place)) return true;
  return false;
}

// The threads that wait for something else than the end of another thread wait at exactly the places of the finding
// (`joins`: those that wait for such an end do, and no thread waits for anything else).
static Term is_finding(const DeadlockGoal *d, const SettledFinding *finding, bool joins) {
  const Events *events = d->events;
  Term occupied[MOST_SETTLED_PLACES], is = term_true(d->terms);
  for (uint32_t k = 0; k < finding->place_count; k++) occupied[k] = term_false(d->terms);
  for (size_t i = 0; i < events->stops.count; i++) {
    const ThreadStop *stop = &events->stops.data[i];
    if (stop->kind != STOP_WAITS) continue;
    bool join;
    SettledPlace place = deadlock_place(events->program, stop->location, &join);
    Term stands = guard_term(d, stop->guard);
    if (join && !joins) continue;
    if (join != joins || !has_place(finding, place)) is = term_and(d->terms, is, term_not(d->terms, stands));
    for (uint32_t k = 0; join == joins && k < finding->place_count; k++)
      if (settled_place_is_same(&finding->places[k], &place)) occupied[k] = term_or(d->terms, occupied[k], stands);
  }
  for (uint32_t k = 0; k < finding->place_count; k++) is = term_and(d->terms, is, occupied[k]);
  return is;
}

static void exclude_settled(DeadlockGoal *d, size_t first) {
  const Program *p = d->events->program;
  for (size_t i = first; i < p->settled.count; i++) {
    if (p->settled.data[i]->kind != SETTLED_DEADLOCK) continue;
    for (unsigned joins = 0; joins < 2; joins++)
      add_fact(d, term_true(d->terms), term_not(d->terms, is_finding(d, p->settled.data[i], joins)));
  }
}

void deadlock_goal_exclude(Events *events, size_t first) {
  for (size_t i = 0; i < events->goals.count; i++) {
    if (events->goals.data[i].kind != GOAL_DEADLOCK) continue;
    DeadlockGoal d = {.events = events, .terms = events->program->terms};
    d.goal = guard_term(&d, events->goals.data[i].guard);
    exclude_settled(&d, first);
  }
}

void deadlock_goal_add(Events *events) {
  DeadlockGoal d = {.events = events, .terms = events->program->terms};
  Term waits = term_false(d.terms);
  for (size_t i = 0; i < events->stops.count; i++)
    if (events->stops.data[i].kind == STOP_WAITS)
      waits = term_or(d.terms, waits, guard_term(&d, events->stops.data[i].guard));
  if (term_is_false(d.terms, waits)) return;
  d.goal = term_variable(d.terms, sort_bits(1), "deadlock");
  add_fact(&d, term_true(d.terms), waits);
  for (ThreadId t = 0; t < events->thread_count; t++) stand_still(&d, t);
  exclude_settled(&d, 0);
  ConjunctionId guard = conjunction_and(&events->guards, CONJUNCTION_TRUE, d.goal);
  GoalVector_push(&events->goals, (Goal){.kind = GOAL_DEADLOCK, .thread = NO_ID, .guard = guard});
}
