// All executions of a small program: does one come through?
//
// The states are those that the search for formulas sees (ltl_states.h), each visited once. An execution comes through
// if it ends the process, comes to a state in which no thread can go on and none is stopped by what ends executions, or
// goes on for ever, which is a cycle of states.
#include "explicit/early_ends.h"
#include "explicit/ltl/ltl_states.h"
#include "judge/schedule_run.h"

enum { MOST_STATES = 20000, MOST_LIVE_BITS = 1 << 28, ENUMERATED_BITS = 8, MOST_THREADS_HERE = 64 };

typedef struct Whole {
  Ends *ends;
  LtlStates states;
  Concrete now;
  U64Vector edges; // from << 32 | to
  StateId at;
  bool moved, stopped; // from the present state: a step was taken; some thread is stopped for ever
  bool through;
} Whole;

static void visit(void *context, const LtlStep *step) {
  Whole *w = context;
  StepKind kind = edge_first_step(w->ends->program, step->edge)->kind;
  switch (step->outcome) {
  case OUTCOME_TAKEN:
    w->moved = true;
    U64Vector_push(&w->edges, (uint64_t)w->at << 32 | ltl_states_intern(&w->states, step->after, false));
    break;
  case OUTCOME_BLOCKED:
    if (kind != STEP_ASSUME) break;
    w->stopped = true;
    ends_add_early(w->ends, step->thread, step->edge, step->outcome, NULL);
    break;
  case OUTCOME_INVALID_ACCESS:
  case OUTCOME_INVALID_FREE:
  case OUTCOME_ZERO_DIVISOR:
  case OUTCOME_CUT:
    w->stopped = true;
    ends_add_early(w->ends, step->thread, step->edge, step->outcome, NULL);
    break;
  default: w->through = true; break;
  }
}

static void expand(Whole *w) {
  const Program *p = w->ends->program;
  assert(w->at < w->states.store.states.count);
  ltl_states_load(&w->states, w->at, &w->now);
  w->moved = w->stopped = false;
  ThreadId inside = concrete_inside_section(&w->now);
  for (ThreadId t = 0; t < p->threads.count; t++)
    if (inside == NO_ID || inside == t) ltl_states_each_step(&w->states, &w->now, t, visit, w);
  if (inside == NO_ID && !w->moved && !w->stopped) w->through = true;
}

// Is there a cycle? States without a way in are taken away until none is left, or only cycles and what follows them.
static bool has_cycle(const Whole *w, size_t count) {
  Account *account = w->ends->account;
  uint32_t *ways_in = memory_allocate_zeroed(account, (count + 1) * sizeof *ways_in);
  uint64_t *first = memory_allocate_zeroed(account, (count + 2) * sizeof *first); // edges are in the order of `from`
  U32Vector ready;
  U32Vector_init(&ready, account);
  for (size_t e = 0; e < w->edges.count; e++) {
    ways_in[(uint32_t)w->edges.data[e]]++;
    first[(w->edges.data[e] >> 32) + 1]++;
  }
  for (size_t i = 0; i < count; i++) first[i + 1] += first[i];
  for (size_t i = 0; i < count; i++)
    if (ways_in[i] == 0) U32Vector_push(&ready, (uint32_t)i);
  size_t taken = 0;
  for (; ready.count > 0; taken++) {
    uint32_t state = U32Vector_pop(&ready);
    for (uint64_t e = first[state]; e < first[state + 1]; e++)
      if (--ways_in[(uint32_t)w->edges.data[e]] == 0) U32Vector_push(&ready, (uint32_t)w->edges.data[e]);
  }
  assert(taken <= count);
  U32Vector_free(&ready);
  memory_free(account, first, (count + 2) * sizeof *first);
  memory_free(account, ways_in, (count + 1) * sizeof *ways_in);
  return taken < count;
}

static bool is_small(const Program *p) {
  return p->threads.count <= MOST_THREADS_HERE &&
         (uint64_t)p->locations.count * (p->variables.count + 1) <= MOST_LIVE_BITS;
}

static bool any_bit(const Bitset *set) { return bitset_next(set, 0) < set->bits; }

void ends_look_at_all(Ends *ends, Budget *budget) {
  if (!is_small(ends->program)) return;
  Whole w = {.ends = ends};
  ltl_states_init(&w.states, ends->program, ENUMERATED_BITS, ends->account);
  concrete_init(&w.now, ends->program, ends->account);
  U64Vector_init(&w.edges, ends->account);
  StateId count = ltl_states_intern(&w.states, &w.now, false) + 1;
  for (; w.at < count && !w.through && count <= MOST_STATES && !budget_exhausted(budget, "ends-all"); w.at++) {
    expand(&w);
    count = (StateId)w.states.store.states.count;
  }
  bool all = w.at == count && !w.through;
  if (all && has_cycle(&w, count)) w.through = true;
  bool exact = !any_bit(&w.states.sampled) && !any_bit(&w.states.unforeseen);
  ends->through += w.through;
  ends->complete = all && exact && !w.through;
  U64Vector_free(&w.edges);
  concrete_free(&w.now);
  ltl_states_free(&w.states);
}
