#include "order/race_goals.h"

#include "program/facts/facts.h"
#include "program/settled.h"

enum { MOST_RACE_GOALS = 300000 };

typedef struct PairFinder {
  Events *events;
  const MustOrder *order;
  LockFacts locks;
  Term all_left; // no section is one in which the execution ends
} PairFinder;

static ThreadId thread_of(const PairFinder *f, const RaceAccess *access) {
  return f->events->nodes.data[access->node].thread;
}

// The object of the access. Cells behind the last one stand for the lives of objects.
static ObjectId object_of(const PairFinder *f, const RaceAccess *access) {
  const Program *p = f->events->program;
  size_t cells = p->cells.count;
  return access->cell < cells ? p->cells.data[access->cell].object : (ObjectId)(access->cell - cells);
}

// --- pairs that cannot happen next to each other ---

static bool hold_one_lock(const PairFinder *f, const RaceAccess *a, const RaceAccess *b) {
  const Program *p = f->events->program;
  const Bitset *first = &f->locks.held[p->edges.data[a->edge].from];
  const Bitset *second = &f->locks.held[p->edges.data[b->edge].from];
  for (size_t lock = bitset_next(first, 0); lock < first->bits; lock = bitset_next(first, lock + 1))
    if (bitset_get(second, lock)) return true;
  return false;
}

// The last node before the access that its thread certainly gets past, or that creates the thread; NO_ID: not known.
static NodeId node_before(const PairFinder *f, const RaceAccess *access) {
  const Events *events = f->events;
  const Node *node = &events->nodes.data[access->node];
  const NodeIdVector *nodes = &events->threads[node->thread].nodes;
  for (uint32_t i = node->position; i-- > 0;)
    if (conjunction_implies(&events->guards, access->guard, events->nodes.data[nodes->data[i]].guard))
      return nodes->data[i];
  NodeId creator = NO_ID;
  for (size_t s = 0; s < events->spawns.count; s++) {
    if (events->spawns.data[s].thread != node->thread) continue;
    if (creator != NO_ID) return NO_ID;
    creator = events->spawns.data[s].creator;
  }
  return creator;
}

// Does the first access come before some step that the second access's thread takes before the second access?
static bool comes_too_early(const PairFinder *f, const RaceAccess *first, const RaceAccess *second) {
  NodeId before = node_before(f, second);
  if (before == NO_ID) return false;
  return before == first->node || must_precede(f->events, f->order, first->node, before);
}

// --- pairs ---

// No section but that of the second access is one in which the execution ends.
static Term sections_are_left(Events *events, NodeId second) {
  TermStore *terms = events->program->terms;
  Term left = term_true(terms);
  for (size_t i = 0; i < events->ended_sections.count; i++) {
    const EndedSection *ended = &events->ended_sections.data[i];
    if (ended->node == second) continue;
    left = term_and(terms, left, term_not(terms, conjunction_term(&events->guards, ended->guard)));
  }
  return left;
}

static Term other_sections_are_left(const PairFinder *f, NodeId second) {
  const EndedSectionVector *ended = &f->events->ended_sections;
  for (size_t i = 0; i < ended->count; i++)
    if (ended->data[i].node == second) return sections_are_left(f->events, second);
  return f->all_left;
}

static void add_goal(PairFinder *f, const RaceAccess *first, const RaceAccess *second, ConjunctionId second_guard) {
  Events *events = f->events;
  ConjunctionId guard = conjunction_both(&events->guards, first->guard, second_guard);
  if (guard == CONJUNCTION_FALSE || comes_too_early(f, first, second)) return;
  // What the goal asks for holds in the executions for which it is chosen, not in all that make both accesses.
  Term chosen = term_variable(events->program->terms, sort_bits(1), "race");
  guard = conjunction_and(&events->guards, guard, chosen);
  guard = conjunction_and(&events->guards, guard, other_sections_are_left(f, second->node));
  bool doubtful = first->doubtful || second->doubtful;
  Goal goal = {.kind = doubtful ? GOAL_DOUBT : GOAL_RACE,
               .thread = thread_of(f, second),
               .guard = guard,
               .occurrence = second->occurrence,
               .what = first->doubtful ? first->step : second->step,
               .first_node = first->node,
               .second_node = second->node,
               .steps = {first->step, second->step},
               .object = object_of(f, second)};
  GoalVector_push(&events->goals, goal);
}

static bool may_race(const PairFinder *f, const RaceAccess *a, const RaceAccess *b) {
  bool life = a->cell >= f->events->program->cells.count;
  if (life && !a->frees && !b->frees) return false;
  // The judge knows no race on a block of no bytes; the answer says that there is one (question_add_limits).
  if (life && !f->events->program->objects.data[a->cell - f->events->program->cells.count].cell_count) return false;
  if (thread_of(f, a) == thread_of(f, b) || (!a->writes && !b->writes)) return false;
  if ((a->synchronises && b->synchronises) || (a->section && b->section)) return false;
  return !race_is_settled(f->events->program, a->step, b->step, object_of(f, a)) && !hold_one_lock(f, a, b);
}

static void add_pair(PairFinder *f, const RaceAccess *a, const RaceAccess *b) {
  if (!may_race(f, a, b)) return;
  if (a->frees && !b->frees) { // after the FREE the other access could not be made
    add_goal(f, b, a, a->guard);
    return;
  }
  add_goal(f, a, b, b->frees ? b->reached : b->guard);
  // What one writes may decide whether the other can be made.
  if (a->synchronises || b->synchronises || a->section || b->section || a->frees)
    add_goal(f, b, a, a->frees ? a->reached : a->guard);
}

// The accesses of each cell, one list behind the other: `next` leads from an access to the one before it, or NO_ID.
bool race_goals_add(Events *events, const MustOrder *order, Budget *budget) {
  PairFinder f = {.events = events, .order = order, .all_left = sections_are_left(events, NO_ID)};
  lock_facts(events->program, &f.locks, events->account);
  size_t cells = events_cell_count(events->program), count = events->accesses.count;
  uint32_t *last = memory_allocate(events->account, cells * sizeof *last);
  uint32_t *next = memory_allocate(events->account, (count + 1) * sizeof *next);
  for (size_t c = 0; c < cells; c++) last[c] = NO_ID;
  bool complete = true;
  for (uint32_t i = 0; i < count && complete; i++) {
    const RaceAccess *access = &events->accesses.data[i];
    for (uint32_t k = last[access->cell]; k != NO_ID; k = next[k]) add_pair(&f, &events->accesses.data[k], access);
    next[i] = last[access->cell];
    last[access->cell] = i;
    complete = events->goals.count <= MOST_RACE_GOALS && !budget_exhausted(budget, "order-races");
  }
  memory_free(events->account, next, (count + 1) * sizeof *next);
  memory_free(events->account, last, cells * sizeof *last);
  lock_facts_free(&f.locks);
  return complete;
}
