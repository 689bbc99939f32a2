#include "order/interleaving.h"

#include "judge/schedule_builder.h"

typedef struct Writer {
  const Events *events;
  const Counterexample *counterexample;
  const Program *whole;
  Solver *solver;
  ScheduleBuilder builder;
  uint32_t *next; // per thread: the first occurrence that is not in the schedule yet
  BitsVector fresh;
} Writer;

static void write_step(Writer *w, ThreadId thread, const Occurrence *occurrence) {
  StepId id = w->whole->edges.data[occurrence->edge].first_step; // the view has the same steps
  BuiltStep step = {.thread = thread, .edge = occurrence->edge, .reduced = &w->events->program->steps.data[id]};
  BitsVector_clear(&w->fresh);
  for (uint32_t i = 0; i < occurrence->fresh_count; i++)
    BitsVector_push(&w->fresh, solver_value(w->solver, w->events->fresh.data[occurrence->first_fresh + i]));
  step.fresh = w->fresh.data;
  if (occurrence->forgotten != TERM_NONE) step.forgotten = solver_value(w->solver, occurrence->forgotten);
  schedule_builder_add(&w->builder, &step);
}

static bool taken(Writer *w, const Occurrence *occurrence) {
  return solver_holds(w->solver, conjunction_term(&w->events->guards, occurrence->taken));
}

// Does a thread only attempt what it does there, because it waits?
static bool in_vain(const Writer *w, NodeId node) {
  const NodeIdVector *vain = &w->counterexample->vain;
  for (size_t i = 0; node != NO_ID && i < vain->count; i++)
    if (vain->data[i] == node) return true;
  return false;
}

// Adds the steps of the thread that are taken in the model, up to the occurrence `last`.
static void write_through(Writer *w, ThreadId thread, uint32_t last) {
  const OccurrenceVector *all = &w->events->threads[thread].occurrences;
  for (; w->next[thread] <= last && w->next[thread] < all->count; w->next[thread]++)
    if (!in_vain(w, all->data[w->next[thread]].node) && taken(w, &all->data[w->next[thread]]))
      write_step(w, thread, &all->data[w->next[thread]]);
}

// The last occurrence that belongs to a node in this model.
static uint32_t end_of_node(Writer *w, NodeId id) {
  const Node *node = &w->events->nodes.data[id];
  assert(node->thread < w->events->thread_count);
  const OccurrenceVector *all = &w->events->threads[node->thread].occurrences;
  for (uint32_t i = (uint32_t)all->count; i-- > w->next[node->thread];)
    if (all->data[i].node == id && taken(w, &all->data[i])) return i;
  return node->last_occurrence; // the node of what main did alone has no occurrence of its own
}

Schedule *interleaving_schedule(const Counterexample *c, const U32Vector *order, const Program *whole, Solver *solver,
                                Property property, Account *account) {
  const Events *events = c->events;
  size_t threads = events->thread_count;
  Writer w = {.events = events, .counterexample = c, .whole = whole, .solver = solver};
  schedule_builder_init(&w.builder, whole, property, account);
  w.next = memory_allocate_zeroed(account, threads * sizeof(uint32_t));
  BitsVector_init(&w.fresh, account);
  for (CellId cell = 0; cell < whole->cells.count; cell++)
    if (whole->cells.data[cell].initial == TERM_NONE && events->initial[cell] != TERM_NONE)
      schedule_builder_initial(&w.builder, cell, solver_value(solver, events->initial[cell]));
  for (size_t i = 0; i < order->count; i++) {
    NodeId node = c->nodes.data[order->data[i]];
    if (node == 0 || node == NO_ID) continue;
    write_through(&w, events->nodes.data[node].thread, end_of_node(&w, node));
  }
  const Goal *goal = &events->goals.data[c->goal];
  if (goal->kind == GOAL_DEADLOCK) {
    for (ThreadId t = 0; t < threads; t++) write_through(&w, t, UINT32_MAX - 1);
  } else {
    write_through(&w, goal->thread, goal->occurrence);
  }
  BitsVector_free(&w.fresh);
  memory_free(account, w.next, threads * sizeof(uint32_t));
  schedule_builder_free(&w.builder);
  return w.builder.schedule;
}
