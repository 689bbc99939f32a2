#include "explicit/ltl/ltl_graph.h"

#include "judge/observed_letter.h"
#include "judge/schedule_run.h"

void ltl_graph_init(LtlGraph *g, const Program *program, unsigned input_bits, Account *account) {
  *g = (LtlGraph){.program = program, .undetermined = NO_ID, .account = account};
  ltl_states_init(&g->states, program, input_bits, account);
  concrete_init(&g->now, program, account);
  ByteVector_init(&g->flags, account);
  U64Vector_init(&g->can, account);
  U64Vector_init(&g->unstopped, account);
  U32Vector_init(&g->letters, account);
  U64Vector_init(&g->letter_values, account);
  map_init(&g->letter_of, account);
  U64Vector_init(&g->first_edge, account);
  GraphEdgeVector_init(&g->edges, account);
}

void ltl_graph_free(LtlGraph *g) {
  GraphEdgeVector_free(&g->edges);
  U64Vector_free(&g->first_edge);
  map_free(&g->letter_of);
  U64Vector_free(&g->letter_values);
  U32Vector_free(&g->letters);
  U64Vector_free(&g->unstopped);
  U64Vector_free(&g->can);
  ByteVector_free(&g->flags);
  concrete_free(&g->now);
  ltl_states_free(&g->states);
}

// --- states ---

static uint32_t intern_letter(LtlGraph *g, uint64_t letter) {
  uint64_t index;
  if (map_get(&g->letter_of, letter, &index)) return (uint32_t)index;
  map_put(&g->letter_of, letter, g->letter_values.count);
  U64Vector_push(&g->letter_values, letter);
  return (uint32_t)g->letter_values.count - 1;
}

static StateId reach(LtlGraph *g, const Concrete *state, bool ended) {
  StateId id = ltl_states_intern(&g->states, state, ended);
  if (id < g->flags.count) return id;
  assert(id == g->flags.count);
  bool inside = !ended && concrete_inside_section(state) != NO_ID;
  ByteVector_push(&g->flags, (uint8_t)((ended ? GRAPH_ENDED : 0) | (inside ? GRAPH_INSIDE : 0)));
  U64Vector_push(&g->can, 0);
  U64Vector_push(&g->unstopped, 0);
  // The automaton does not read states inside sections.
  CellId undetermined = NO_ID;
  uint64_t letter = inside ? 0 : concrete_letter(state, &undetermined);
  if (undetermined != NO_ID) g->undetermined = undetermined;
  g->doubtful |= !inside && concrete_letter_is_doubtful(state);
  U32Vector_push(&g->letters, intern_letter(g, letter));
  return id;
}

// --- expanding ---

typedef struct Expansion {
  LtlGraph *graph;
  StateId state;
  bool inside;
} Expansion;

static void add_edge(LtlGraph *g, StateId from, StateId to, ThreadId thread) {
  assert(from + 1 == g->first_edge.count && to < g->flags.count); // of the state that is expanded
  for (size_t i = g->first_edge.data[from]; i < g->edges.count; i++)
    if (g->edges.data[i].to == to && g->edges.data[i].thread == thread) return;
  GraphEdgeVector_push(&g->edges, (GraphEdge){.to = to, .thread = thread});
}

// The thread takes a step that leads to no state inside a section, or to the end of the model.
static void note_can(Expansion *e, ThreadId thread) {
  if (e->inside)
    e->graph->flags.data[e->state] |= GRAPH_FINISHES;
  else
    e->graph->can.data[e->state] |= UINT64_C(1) << thread;
}

static void note_waits(Expansion *e, ThreadId thread) {
  if (e->inside)
    e->graph->flags.data[e->state] |= GRAPH_WAITS;
  else
    e->graph->unstopped.data[e->state] |= UINT64_C(1) << thread;
}

static void visit_step(void *context, const LtlStep *step) {
  Expansion *e = context;
  LtlGraph *g = e->graph;
  StepKind kind = edge_first_step(g->program, step->edge)->kind;
  bool ended = step->outcome == OUTCOME_HALT || step->outcome == OUTCOME_ERROR;
  if (step->outcome == OUTCOME_TAKEN || ended) {
    StateId to = reach(g, step->after, ended);
    add_edge(g, e->state, to, step->thread);
    if (!(g->flags.data[to] & GRAPH_INSIDE)) note_can(e, step->thread);
  } else if (step->outcome == OUTCOME_CUT)
    note_can(e, step->thread);
  else if (step->outcome == OUTCOME_BLOCKED && step_kind_waits(kind))
    note_waits(e, step->thread);
}

static void expand(LtlGraph *g, StateId state) {
  const Program *p = g->program;
  assert(state == g->first_edge.count); // states are expanded in order
  U64Vector_push(&g->first_edge, g->edges.count);
  g->flags.data[state] |= GRAPH_EXPANDED;
  if (ltl_states_load(&g->states, state, &g->now)) return;
  ThreadId inside = concrete_inside_section(&g->now);
  Expansion expansion = {.graph = g, .state = state, .inside = inside != NO_ID};
  for (ThreadId t = 0; t < p->threads.count; t++) {
    if (inside != NO_ID && t != inside) continue;
    bool needless = p->locations.data[g->now.locations[t]].final || concrete_is_unborn(&g->now, t);
    if (needless)
      g->unstopped.data[state] |= UINT64_C(1) << t;
    else
      ltl_states_each_step(&g->states, &g->now, t, visit_step, &expansion);
  }
}

// --- sections ---

// Finds the states inside sections from which a path leads out of the section, or to a step that waits. A state that
// was not expanded counts as having a path out.
static void propagate(LtlGraph *g) {
  const uint8_t both = GRAPH_FINISHES | GRAPH_WAITS;
  for (StateId s = 0; s < ltl_graph_count(g); s++)
    if (!(g->flags.data[s] & GRAPH_EXPANDED)) g->flags.data[s] |= GRAPH_FINISHES;
  for (bool grown = true; grown;) {
    grown = false;
    for (StateId s = (StateId)ltl_graph_count(g); s-- > 0;) { // most edges go to higher numbers
      if (!(g->flags.data[s] & GRAPH_INSIDE)) continue;
      uint8_t flags = g->flags.data[s];
      for (size_t i = 0; i < ltl_graph_edge_count(g, s); i++) {
        uint8_t next = g->flags.data[ltl_graph_edge(g, s, i).to];
        if (next & GRAPH_INSIDE) flags |= next & both;
      }
      grown |= flags != g->flags.data[s];
      g->flags.data[s] = flags;
    }
  }
}

// Which threads can enter a section.
static void settle_sections(LtlGraph *g) {
  propagate(g);
  for (StateId s = 0; s < ltl_graph_count(g); s++) {
    if (g->flags.data[s] & GRAPH_INSIDE) continue;
    for (size_t i = 0; i < ltl_graph_edge_count(g, s); i++) {
      GraphEdge edge = ltl_graph_edge(g, s, i);
      uint8_t flags = g->flags.data[edge.to];
      if (!(flags & GRAPH_INSIDE)) continue;
      if (flags & GRAPH_FINISHES) g->can.data[s] |= UINT64_C(1) << edge.thread;
      if (flags & GRAPH_WAITS) g->unstopped.data[s] |= UINT64_C(1) << edge.thread;
    }
    g->unstopped.data[s] |= g->can.data[s];
    assert((g->can.data[s] & ~g->unstopped.data[s]) == 0);
  }
}

// --- all ---

// Once in a while. True: stop in time before memory runs out; what comes after the graph needs its share.
static bool looks_up(const LtlGraph *g, Budget *budget, Log *log, StateId state) {
  const Account *account = g->account;
  if (account != NULL && account->limit != 0 && account->bytes > account->limit / 2) {
    budget->reason = STOP_MEMORY;
    return true;
  }
  if (log != NULL) log_progress(log, "replay: %u states of %zu expanded", (unsigned)state, ltl_graph_count(g));
  return false;
}

GraphEnd ltl_graph_build(LtlGraph *g, uint64_t max_states, Budget *budget, Log *log) {
  GraphEnd end = GRAPH_COMPLETE;
  reach(g, &g->now, false);
  for (StateId s = 0; s < ltl_graph_count(g) && end == GRAPH_COMPLETE; s++) {
    if (max_states != 0 && ltl_graph_count(g) > max_states)
      end = GRAPH_LIMIT;
    else if (budget_exhausted(budget, "replay states") || ((s & 0xfff) == 0xfff && looks_up(g, budget, log, s)))
      end = GRAPH_STOPPED;
    else
      expand(g, s);
  }
  U64Vector_push(&g->first_edge, g->edges.count);
  settle_sections(g);
  return end;
}
