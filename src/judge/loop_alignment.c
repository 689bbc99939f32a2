#include "judge/loop_alignment.h"

#include "judge/influence.h"
#include "judge/schedule_run.h"
#include "program/passes/rewrite.h"

#include <assert.h>

enum { MOST_LOCAL_STEPS = 10000, MOST_ROUNDS = 8 };

typedef struct Alignment {
  const Program *program;
  ScheduleRun run;
  Concrete next;     // after a step that is tried
  Concrete before;   // before the local steps of the present thread
  Concrete start;    // at the beginning of the loop, while the loop is executed
  bool *shared;      // per step of the program: another thread may observe it
  Schedule *aligned; // the result
} Alignment;

// Can neither another thread nor a formula observe the step of this edge?
static bool is_local(const Alignment *s, EdgeId edge) {
  const Program *p = s->program;
  const Edge *e = &p->edges.data[edge];
  const Location *from = &p->locations.data[e->from], *to = &p->locations.data[e->to];
  StepKind kind = edge_step(p, e, 0)->kind;
  if (e->back || from->atomic || to->atomic || from->observed != to->observed) return false;
  bool own = kind == STEP_PLAIN || kind == STEP_ASSUME || kind == STEP_DIVIDE || kind == STEP_ALLOCATE;
  return own && !s->shared[e->first_step];
}

static bool try_edge(Alignment *s, ThreadId thread, EdgeId edge) {
  if (!is_local(s, edge)) return false;
  Choices none = {.guess = true};
  StepEffect effect;
  concrete_copy(&s->next, &s->run.state);
  if (concrete_step(&s->next, thread, edge, &none, &effect) != OUTCOME_TAKEN || none.guessed) return false;
  concrete_copy(&s->run.state, &s->next);
  schedule_add(s->aligned, thread, edge, NULL, 0);
  return true;
}

static bool try_step(Alignment *s, ThreadId thread) {
  uint32_t count;
  const EdgeId *edges = location_edges(s->program, s->run.state.locations[thread], &count);
  for (uint32_t i = 0; i < count; i++)
    if (try_edge(s, thread, edges[i])) return true;
  return false;
}

static bool moves_in_loop(const Schedule *lasso, ThreadId thread) {
  for (size_t i = lasso->loop_start; i < lasso->steps.count; i++)
    if (lasso->steps.data[i].thread == thread) return true;
  return false;
}

static void copy_steps(Schedule *to, const Schedule *from, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    const ScheduleStep *step = &from->steps.data[i];
    schedule_add(to, step->thread, step->edge, from->choices.data + step->first_choice, step->choice_count);
  }
}

static bool run_stem(Alignment *s, const Schedule *lasso) {
  StepOutcome outcome;
  StepEffect effect;
  for (size_t i = 0; i < lasso->loop_start; i++)
    if (!schedule_run_step(&s->run, i, &outcome, &effect) || outcome != OUTCOME_TAKEN) return false;
  return concrete_inside_section(&s->run.state) == NO_ID;
}

// Is the thread enabled or blocked at some point of the loop, or is that unknown?
static bool can_go_on(Alignment *s, const Schedule *lasso, ThreadId thread) {
  StepOutcome outcome;
  StepEffect effect;
  concrete_copy(&s->start, &s->run.state);
  bool can = concrete_can_go_on(&s->run.state, thread) != RUN_NO;
  for (size_t i = lasso->loop_start; i < lasso->steps.count && !can; i++) {
    if (!schedule_run_step(&s->run, i, &outcome, &effect) || outcome != OUTCOME_TAKEN) break;
    can = concrete_inside_section(&s->run.state) == NO_ID && concrete_can_go_on(&s->run.state, thread) != RUN_NO;
  }
  concrete_copy(&s->run.state, &s->start);
  s->run.ended = false;
  return can;
}

// Adds local steps of the thread. They are removed again if after them the thread is disabled for ever, at an invalid
// dereference for instance: the thread may stay before that step.
static void advance_thread(Alignment *s, const Schedule *lasso, ThreadId thread) {
  size_t count = s->aligned->steps.count;
  concrete_copy(&s->before, &s->run.state);
  for (unsigned n = 0; n < MOST_LOCAL_STEPS && try_step(s, thread); n++) {}
  if (can_go_on(s, lasso, thread)) return;
  assert(count <= s->aligned->steps.count);
  s->aligned->steps.count = count; // the removed steps have no choices
  concrete_copy(&s->run.state, &s->before);
}

static void advance_threads(Alignment *s, const Schedule *lasso) {
  for (ThreadId t = 0; t < s->program->threads.count; t++)
    if (!moves_in_loop(lasso, t)) advance_thread(s, lasso, t);
}

static bool run_loop(Alignment *s, const Schedule *lasso) {
  StepOutcome outcome;
  StepEffect effect;
  for (size_t i = lasso->loop_start; i < lasso->steps.count; i++)
    if (!schedule_run_step(&s->run, i, &outcome, &effect) || outcome != OUTCOME_TAKEN) return false;
  return true;
}

// Searches the smallest numbers of rounds such that a loop of `rounds - stem` rounds closes after `stem` rounds in the
// stem. If there are none up to the limit, the loop stays as it is.
static void close_loop(Alignment *s, const Schedule *lasso, Account *account) {
  Concrete after[MOST_ROUNDS + 1]; // index: number of rounds executed
  Influence influence;
  Text difference;
  influence_init(&influence, s->program, account);
  text_init(&difference, account);
  unsigned rounds = 0, stem = 0;
  bool closed = false, runs = true;
  concrete_init(&after[0], s->program, account);
  concrete_copy(&after[0], &s->run.state);
  while (!closed && runs && rounds < MOST_ROUNDS) {
    runs = run_loop(s, lasso);
    concrete_init(&after[++rounds], s->program, account);
    concrete_copy(&after[rounds], &s->run.state);
    for (stem = 0; stem < rounds && runs && !closed; stem += !closed)
      closed = influence_agree(&influence, &after[stem], &after[rounds], &difference);
  }
  for (unsigned i = 0; i <= rounds; i++) concrete_free(&after[i]);
  text_free(&difference);
  influence_free(&influence);
  if (!closed) stem = 0, rounds = 1;
  assert(stem < rounds && rounds <= MOST_ROUNDS);
  for (unsigned i = 0; i < stem; i++) copy_steps(s->aligned, lasso, lasso->loop_start, lasso->steps.count);
  s->aligned->loop_start = (uint32_t)s->aligned->steps.count;
  for (unsigned i = stem; i < rounds; i++) copy_steps(s->aligned, lasso, lasso->loop_start, lasso->steps.count);
}

Schedule *lasso_align_loop(const Program *program, const Schedule *lasso, bool blocks, Account *account) {
  Alignment s = {.program = program};
  Text message;
  text_init(&message, account);
  if (lasso->loop_start > lasso->steps.count || lasso->fingerprint != program->fingerprint) {
    text_free(&message);
    return schedule_copy(lasso, account);
  }
  schedule_run_init(&s.run, program, lasso, NULL, &message, account);
  concrete_init(&s.next, program, account);
  concrete_init(&s.before, program, account);
  concrete_init(&s.start, program, account);
  s.shared = program_shared_steps(program, account);
  s.aligned = schedule_new(account);
  s.aligned->fingerprint = lasso->fingerprint;
  s.aligned->property = lasso->property;
  copy_steps(s.aligned, lasso, 0, lasso->loop_start);
  if (run_stem(&s, lasso)) {
    if (blocks) advance_threads(&s, lasso);
    close_loop(&s, lasso, account);
  } else {
    s.aligned->loop_start = (uint32_t)s.aligned->steps.count;
    copy_steps(s.aligned, lasso, lasso->loop_start, lasso->steps.count);
  }
  memory_free(account, s.shared, program->steps.count * sizeof *s.shared);
  concrete_free(&s.next);
  concrete_free(&s.start);
  concrete_free(&s.before);
  schedule_run_free(&s.run);
  text_free(&message);
  return s.aligned;
}
