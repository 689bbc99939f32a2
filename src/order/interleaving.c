#include "order/interleaving.h"

typedef struct Writer {
  const Events *events;
  const Program *whole;
  Solver *solver;
  Schedule *schedule;
  uint32_t *next;  // per thread: the first occurrence not written yet
  Term *unknown;   // per cell: the value it will turn out to have, or TERM_NONE: determined
  uint32_t *shift; // per cell: from which bit of `unknown` on
  BitsVector choices;
  Account *account;
} Writer;

// --- choices ---

static void choose_variables(Writer *w, const Occurrence *occurrence, StepId id) {
  const Step *full = &w->whole->steps.data[id], *reduced = &w->events->program->steps.data[id];
  for (uint32_t i = 0; i < full->assignment_count; i++) {
    if (!value_is_fresh(full->assignments[i].value)) continue;
    // The reduced step has a subset of the assignments, in the same order.
    uint32_t fresh = 0;
    Bits value = 0;
    for (uint32_t k = 0; k < reduced->assignment_count; k++) {
      if (!value_is_fresh(reduced->assignments[k].value)) continue;
      if (reduced->assignments[k].variable == full->assignments[i].variable) {
        assert(fresh < occurrence->fresh_count);
        value = solver_value(w->solver, w->events->fresh.data[occurrence->first_fresh + fresh]);
      }
      fresh++;
    }
    BitsVector_push(&w->choices, value);
  }
}

static uint64_t address_of(Writer *w, const Occurrence *occurrence, const Access *full) {
  Term address = occurrence->address != TERM_NONE ? occurrence->address : full->address;
  return (uint64_t)solver_value(w->solver, address); // what the reduction dropped has a constant address
}

// An indeterminate cell is chosen at its first read, and may become indeterminate again.
static void choose_cells(Writer *w, const Occurrence *occurrence, StepId id) {
  const Access *full = &w->whole->steps.data[id].access;
  if (full->address == TERM_NONE) return;
  CellId first = program_cell_at(w->whole, address_of(w, occurrence, full));
  if (first == NO_ID) return;
  bool forgets = full->writes && full->stored == VALUE_INDETERMINATE;
  uint32_t covered = 0;
  for (CellId c = first; c < w->whole->cells.count && covered < full->bytes; c++) {
    unsigned width = 8 * w->whole->cells.data[c].bytes;
    if (full->reads && w->unknown[c] != TERM_NONE) {
      Bits value = solver_value(w->solver, w->unknown[c]) >> w->shift[c] & bits_mask(width);
      BitsVector_push(&w->choices, value);
      w->unknown[c] = TERM_NONE;
    }
    if (full->writes) {
      Term zero = term_constant(w->whole->terms, width, 0); // nothing depends on it
      w->unknown[c] = !forgets ? TERM_NONE : occurrence->forgotten != TERM_NONE ? occurrence->forgotten : zero;
      w->shift[c] = occurrence->forgotten != TERM_NONE ? 8 * covered : 0;
    }
    covered += w->whole->cells.data[c].bytes;
  }
}

// --- steps ---

static bool taken(Writer *w, const Occurrence *occurrence) {
  return solver_holds(w->solver, guard_term(&w->events->guards, occurrence->taken));
}

static void write_through(Writer *w, ThreadId thread, uint32_t last) {
  const OccurrenceVector *all = &w->events->threads[thread].occurrences;
  for (; w->next[thread] <= last && w->next[thread] < all->count; w->next[thread]++) {
    const Occurrence *occurrence = &all->data[w->next[thread]];
    if (!taken(w, occurrence)) continue;
    StepId step = w->whole->edges.data[occurrence->edge].first_step;
    BitsVector_clear(&w->choices);
    choose_variables(w, occurrence, step);
    choose_cells(w, occurrence, step);
    schedule_add(w->schedule, thread, occurrence->edge, w->choices.data, w->choices.count);
  }
}

// The last occurrence that belongs to a node in this model.
static uint32_t end_of_node(Writer *w, NodeId id) {
  const Node *node = &w->events->nodes.data[id];
  const OccurrenceVector *all = &w->events->threads[node->thread].occurrences;
  for (uint32_t i = (uint32_t)all->count; i-- > w->next[node->thread];)
    if (all->data[i].node == id && taken(w, &all->data[i])) return i;
  return node->last_occurrence; // what main did alone has no occurrence of its own
}

Schedule *interleaving_schedule(const Counterexample *c, const U32Vector *order, const Program *whole, Solver *solver,
                                Property property, Account *account) {
  const Events *events = c->events;
  size_t threads = events->thread_count, cells = whole->cells.count;
  Writer w = {.events = events, .whole = whole, .solver = solver, .account = account};
  w.schedule = schedule_new(account);
  w.schedule->fingerprint = whole->fingerprint;
  w.schedule->property = property;
  w.next = memory_allocate_zeroed(account, threads * sizeof(uint32_t));
  w.unknown = memory_allocate_zeroed(account, cells * sizeof(Term));
  w.shift = memory_allocate_zeroed(account, cells * sizeof(uint32_t));
  BitsVector_init(&w.choices, account);
  for (CellId cell = 0; cell < cells; cell++) {
    if (whole->cells.data[cell].initial != TERM_NONE) continue;
    Term known = events->initial[cell];
    unsigned width = 8 * whole->cells.data[cell].bytes;
    w.unknown[cell] = known != TERM_NONE ? known : term_constant(whole->terms, width, 0);
  }
  for (size_t i = 0; i < order->count; i++) {
    NodeId node = c->nodes.data[order->data[i]];
    if (node == 0 || node == NO_ID) continue;
    write_through(&w, events->nodes.data[node].thread, end_of_node(&w, node));
  }
  const Goal *goal = &events->goals.data[c->goal];
  write_through(&w, goal->thread, goal->occurrence);
  BitsVector_free(&w.choices);
  memory_free(account, w.shift, cells * sizeof(uint32_t));
  memory_free(account, w.unknown, cells * sizeof(Term));
  memory_free(account, w.next, threads * sizeof(uint32_t));
  return w.schedule;
}
