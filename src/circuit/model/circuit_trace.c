#include "circuit/model/circuit_trace.h"

#include "circuit/model/simulation.h"

void circuit_trace_init(CircuitTrace *trace, Account *account) {
  *trace = (CircuitTrace){0};
  ByteVector_init(&trace->inputs, account);
}

void circuit_trace_free(CircuitTrace *trace) { ByteVector_free(&trace->inputs); }

void circuit_trace_clear(CircuitTrace *trace) {
  ByteVector_clear(&trace->inputs);
  trace->steps = 0;
}

void circuit_trace_shorten(CircuitTrace *trace, const Circuit *c, uint32_t steps) {
  assert(steps <= trace->steps);
  trace->steps = steps;
  ByteVector_resize(&trace->inputs, steps * c->inputs.count);
}

uint8_t *circuit_trace_add(CircuitTrace *trace, const Circuit *c) {
  size_t before = trace->inputs.count;
  assert(before == trace->steps * c->inputs.count);
  trace->steps++;
  ByteVector_resize(&trace->inputs, before + c->inputs.count);
  return trace->inputs.data + before;
}

// --- the end ---

static const CircuitEdge *find_possible(const Simulation *s, const CircuitEdgeVector *goals) {
  for (size_t i = 0; i < goals->count; i++)
    if (simulation_holds(s, goals->data[i].possible)) return &goals->data[i];
  return NULL;
}

static TraceEnd end_of(const Simulation *s) {
  const CircuitEdge *error = find_possible(s, &s->c->errors);
  return (TraceEnd){.goal = error ? error : find_possible(s, &s->c->cuts), .is_error = error != NULL};
}

TraceEnd circuit_trace_end(const Circuit *c, const CircuitTrace *trace) {
  Simulation s;
  simulation_init(&s, c, trace);
  while (simulation_next(&s)) {}
  TraceEnd end = end_of(&s);
  simulation_free(&s);
  return end;
}

// --- the schedule ---

// Adds an edge with the values of its fresh variables in this step. The bits of words are the first of the shared
// inputs, in order.
static void add_edge(const Simulation *s, PathSchedule *path, EdgeId e, BitsVector *fresh) {
  const Circuit *c = s->c;
  const Transition *transition = &c->transitions->edges.data[e];
  uint32_t next = 0;
  BitsVector_clear(fresh);
  for (uint32_t i = 0; i < transition->fresh_count; i++) {
    uint32_t word = words_find(c->words, c->transitions->fresh.data[transition->first_fresh + i]);
    Bits value = 0;
    for (uint32_t k = 0; word != NO_ID && k < c->words->words.data[word].width; k++)
      value |= (Bits)simulation_holds(s, c->fresh.data[next++]) << k;
    BitsVector_push(fresh, value);
  }
  path_schedule_edge(path, e, fresh->data);
}

// Adds the values of cells without an initial value, which are inputs of the first step.
static void add_initial(const Simulation *s, PathSchedule *path) {
  const Program *p = s->c->transitions->program;
  for (CellId cell = 0; cell < p->cells.count; cell++) {
    uint32_t word = words_find(s->c->words, p->cells.data[cell].term);
    if (p->cells.data[cell].initial != TERM_NONE || word == NO_ID) continue;
    Bits value = 0;
    for (uint32_t k = 0; k < s->c->words->words.data[word].width; k++) {
      uint32_t bit = s->c->words->words.data[word].first_bit + k;
      value |= (Bits)simulation_holds(s, s->c->value_of_bit.data[bit]) << k;
    }
    path_schedule_initial(path, cell, value);
  }
}

// All steps of a lasso are taken. The last step of another trace is the one in which the error can happen.
static Schedule *make_schedule(const Circuit *c, const CircuitTrace *trace, bool lasso, uint32_t loop_start,
                               const Program *whole, Property property) {
  assert(!lasso || loop_start < trace->steps);
  PathSchedule path;
  path_schedule_init(&path, whole, c->transitions, property, c->account);
  BitsVector fresh;
  BitsVector_init(&fresh, c->account);
  Simulation s;
  simulation_init(&s, c, trace);
  while (simulation_next(&s)) {
    if (s.step == 1) add_initial(&s, &path);
    if (lasso && s.step == loop_start + 1) path_schedule_loop(&path);
    bool last = !lasso && s.step == trace->steps;
    const CircuitEdge *error = last ? find_possible(&s, &c->errors) : NULL;
    for (size_t i = 0; i < c->edges.count && !last; i++)
      if (simulation_holds(&s, c->edges.data[i].taken)) add_edge(&s, &path, c->edges.data[i].edge, &fresh);
    if (error) add_edge(&s, &path, error->edge, &fresh);
  }
  simulation_free(&s);
  BitsVector_free(&fresh);
  return path_schedule_end(&path);
}

Schedule *circuit_trace_schedule(const Circuit *c, const CircuitTrace *trace, const Program *whole, Property property) {
  return make_schedule(c, trace, false, NO_ID, whole, property);
}

Schedule *circuit_trace_lasso_schedule(const Circuit *c, const CircuitTrace *trace, uint32_t loop_start,
                                       const Program *whole, Property property) {
  return make_schedule(c, trace, true, loop_start, whole, property);
}
