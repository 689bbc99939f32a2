// Unrolled programs for the tests of the room `order`: a hand-built program (test_replay_support.h) with its events and
// links, and short ways to ask about them.
#ifndef HEDDLE_TESTS_ORDER_SUPPORT_H
#define HEDDLE_TESTS_ORDER_SUPPORT_H

#include "order/read_links.h"
#include "order/refine.h"
#include "order/unroll/unroll.h"
#include "test_replay_support.h"

typedef struct Unrolled {
  Build *b;
  Events events;
  MustOrder order;
  Budget budget;
} Unrolled;

// The program must have been prepared (passes_prepare).
static inline void unrolled_open_with(Unrolled *u, Build *b, unsigned bound, unsigned free, const Map *constants) {
  *u = (Unrolled){.b = b};
  budget_init(&u->budget, 0, NULL);
  events_init(&u->events, b->p, &b->account);
  UnrollOptions options = {.bound = bound, .free_iterations = free, .most_events = 100000, .constants = constants};
  assert_true(unroll(b->p, &options, &u->events, &u->budget));
  links_find(&u->events, &u->order, NULL, &u->budget);
}

static inline void unrolled_open(Unrolled *u, Build *b, unsigned bound) { unrolled_open_with(u, b, bound, 100, NULL); }

static inline void unrolled_close(Unrolled *u) {
  must_order_free(&u->order);
  events_free(&u->events);
}

static inline CellId unrolled_cell(const Unrolled *u, ObjectId object) {
  const Program *p = u->b->p;
  CellId cell = program_cell_at(p, p->objects.data[object].address);
  assert_int_not_equal(cell, NO_ID);
  return cell;
}

// How many reads (writes) of the object the thread has; NO_ID: the initial state.
static inline unsigned unrolled_count(const Unrolled *u, ThreadId thread, ObjectId object, bool write) {
  unsigned count = 0;
  for (size_t e = 0; e < u->events.events.count; e++) {
    const Event *event = &u->events.events.data[e];
    count += event->write == write && event->cell == unrolled_cell(u, object) &&
             u->events.nodes.data[event->node].thread == thread;
  }
  return count;
}

static inline EventId unrolled_event(const Unrolled *u, ThreadId thread, ObjectId object, bool write, unsigned index) {
  for (EventId e = 0; e < u->events.events.count; e++) {
    const Event *event = &u->events.events.data[e];
    if (event->write != write || event->cell != unrolled_cell(u, object)) continue;
    if (u->events.nodes.data[event->node].thread == thread && index-- == 0) return e;
  }
  fail_msg("thread %u has too few events", thread);
  return NO_ID;
}

static inline EventId unrolled_read(const Unrolled *u, ThreadId thread, ObjectId object, unsigned index) {
  return unrolled_event(u, thread, object, false, index);
}

static inline EventId unrolled_write(const Unrolled *u, ThreadId thread, ObjectId object, unsigned index) {
  return unrolled_event(u, thread, object, true, index);
}

static inline NodeId unrolled_node(const Unrolled *u, EventId event) { return u->events.events.data[event].node; }

static inline bool unrolled_linked(const Unrolled *u, EventId write, EventId read) {
  const Event *event = &u->events.events.data[read];
  for (uint32_t i = 0; i < event->link_count; i++)
    if (u->events.links.data[event->first_link + i].write == write) return true;
  return false;
}

static inline bool unrolled_precedes(const Unrolled *u, EventId a, EventId b) {
  return must_precede(&u->events, &u->order, unrolled_node(u, a), unrolled_node(u, b));
}

static inline unsigned unrolled_goals(const Unrolled *u, OrderGoalKind kind) {
  unsigned count = 0;
  for (size_t g = 0; g < u->events.goals.count; g++) count += u->events.goals.data[g].kind == kind;
  return count;
}

// Can a goal of the kind be reached? All modes must agree.
static inline bool unrolled_reaches(Unrolled *u, OrderGoalKind kind) {
  static const RefineMode modes[] = {REFINE_GRAPH, REFINE_SOLVER, REFINE_EAGER};
  Reachability answers[3];
  for (size_t i = 0; i < 3; i++) {
    Refinement refinement;
    RefineStatistics statistics = {0};
    assert_true(refinement_open(&refinement, modes[i], &u->events, &u->order, &statistics, &u->budget, &u->b->account));
    answers[i] = refinement_reach(&refinement, 1u << kind);
    refinement_close(&refinement);
    assert_int_not_equal(answers[i], REACH_UNDECIDED);
    assert_int_equal(answers[i], answers[0]);
  }
  return answers[0] == REACHABLE;
}

#endif
