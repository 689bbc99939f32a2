#include "explicit/early_ends.h"
#include "base/random.h"

#include "explicit/chooser.h"
#include "judge/schedule_run.h"
#include "judge/wording.h"

// FEW_RUNS are enough to meet what most executions meet. If none comes through, up to MANY_RUNS are made.
enum {
  FEW_RUNS = 32,
  MANY_RUNS = 400,
  MOST_STEPS = 20000,
  MOST_SECTION_STEPS = 5000,
  MOST_TRIES = 8,
  MOST_CHOICES = 16,
  MOST_REDRAWS = 24
};
static const double FEW_SECONDS = 0.05, MANY_SECONDS = 0.3;

void ends_init(Ends *ends, const Program *program, Property property, Account *account) {
  *ends = (Ends){.program = program, .property = property, .account = account};
  EarlyEndVector_init(&ends->early, account);
  bitset_init(&ends->reached, program->locations.count, account);
}

void ends_free(Ends *ends) {
  EarlyEndVector_free(&ends->early);
  bitset_free(&ends->reached);
  schedule_free(ends->violation);
}

void ends_add_early(Ends *ends, ThreadId thread, EdgeId edge, StepOutcome outcome, const char *complaint) {
  assert(ends->program->locations.data[ends->program->edges.data[edge].from].thread == thread);
  for (size_t i = 0; i < ends->early.count; i++)
    if (ends->early.data[i].edge == edge) return;
  EarlyEndVector_push(&ends->early, (EarlyEnd){thread, edge, outcome, complaint});
}

static bool ends_violates(Property property, StepOutcome outcome) {
  switch (outcome) {
  case OUTCOME_ERROR: return property == PROPERTY_UNREACH_CALL;
  case OUTCOME_INVALID_ACCESS:
  case OUTCOME_INVALID_FREE: return property == PROPERTY_VALID_MEMSAFETY;
  case OUTCOME_ZERO_DIVISOR: return property == PROPERTY_NO_DIVISION_BY_ZERO;
  default: return false;
  }
}

// --- one execution ---

typedef struct Runner {
  Ends *ends;
  const Program *program;
  InputSamples samples;
  Concrete state, before; // `before`: when a section was entered
  Concrete drawn;         // before the last value was drawn outside of sections
  size_t drawn_steps;     // of the schedule, then
  unsigned redraws;       // how often that value may be drawn again
  Schedule *schedule;
  uint64_t seed;
  size_t steps;
} Runner;

static uint64_t draw(Runner *r, uint64_t below) {
  assert(below > 0);
  return random_next(&r->seed) % below;
}

// Small numbers and those that the program compares with come up more often than others.
static Bits draw_value(Runner *r, unsigned width) {
  const U64Vector *samples = &r->samples.of_width[width > 64 ? 64 : width];
  if (samples->count > 0 && draw(r, 8) != 0) return samples->data[draw(r, samples->count)];
  return random_next(&r->seed);
}

typedef enum SearchMove {
  MOVE_TAKEN,
  MOVE_WAITS,   // no step can be taken
  MOVE_FAILS,   // nor by others: an assumption is false
  MOVE_THROUGH, // the process ended, or what follows is not known
  MOVE_EARLY    // the execution ended early, or with a violation
} SearchMove;

// The values that a step would ask for, drawn at random.
static size_t draw_choices(Runner *r, const Step *step, Bits *values) {
  const Program *p = r->program;
  size_t count = 0;
  for (uint32_t i = 0; i < step->assignment_count && count < MOST_CHOICES; i++)
    if (value_is_fresh(step->assignments[i].value))
      values[count++] = draw_value(r, term_width(p->terms, variable_term(p, step->assignments[i].variable)));
  unsigned width = step->access.address != TERM_NONE ? 8u * step->access.bytes : 8;
  while (count < MOST_CHOICES) values[count++] = draw_value(r, width);
  return count;
}

// An assumption on a value follows where it was drawn: if it is false, another value is drawn.
static void keep_drawn(Runner *r, ThreadId thread, const Step *step) {
  bool fresh = false;
  for (uint32_t i = 0; i < step->assignment_count; i++) fresh |= value_is_fresh(step->assignments[i].value);
  if (!fresh || r->program->locations.data[r->state.locations[thread]].atomic) return;
  if (r->drawn_steps == r->schedule->steps.count && r->redraws < MOST_REDRAWS) return; // drawn again
  concrete_copy(&r->drawn, &r->state);
  r->drawn_steps = r->schedule->steps.count;
  r->redraws = MOST_REDRAWS;
}

static bool draw_again(Runner *r) {
  if (r->redraws == 0) return false;
  assert(r->drawn_steps <= r->schedule->steps.count);
  r->redraws--;
  concrete_copy(&r->state, &r->drawn);
  r->schedule->steps.count = r->drawn_steps;
  return true;
}

static SearchMove take_edge(Runner *r, ThreadId thread, EdgeId edge) {
  const Step *step = edge_first_step(r->program, edge);
  keep_drawn(r, thread, step);
  Bits values[MOST_CHOICES];
  Choices choices = {.values = values, .count = draw_choices(r, step, values), .guess = true};
  StepEffect effect;
  StepOutcome outcome = concrete_step(&r->state, thread, edge, &choices, &effect);
  if (outcome == OUTCOME_BLOCKED) return step->kind == STEP_ASSUME ? MOVE_FAILS : MOVE_WAITS;
  schedule_add(r->schedule, thread, edge, values, choices.next);
  r->steps++;
  if (choices.guessed) return MOVE_THROUGH; // more choices than are drawn: nothing is said
  if (effect.check_fails && step->check->subject != CHECK_TRACK && property_has_check(r->ends->property, step->check) &&
      !step->excused) {
    if (!r->ends->violation) r->ends->violation = schedule_copy(r->schedule, r->ends->account);
    return MOVE_EARLY;
  }
  switch (outcome) {
  case OUTCOME_TAKEN: bitset_set(&r->ends->reached, r->state.locations[thread]); return MOVE_TAKEN;
  case OUTCOME_INVALID_ACCESS:
  case OUTCOME_INVALID_FREE:
  case OUTCOME_ZERO_DIVISOR:
  case OUTCOME_CUT:
  case OUTCOME_ERROR:
    if (outcome == OUTCOME_ERROR && r->ends->property != PROPERTY_UNREACH_CALL) return MOVE_THROUGH; // it aborts
    if (ends_violates(r->ends->property, outcome) && !step->excused && !r->ends->violation)
      r->ends->violation = schedule_copy(r->schedule, r->ends->account);
    else if (!ends_violates(r->ends->property, outcome) || step->excused)
      ends_add_early(r->ends, thread, edge, outcome, effect.complaint);
    return MOVE_EARLY;
  default: return MOVE_THROUGH;
  }
}

// One step of the thread, by any of the edges that can be taken. `failed` becomes an edge with a false assumption.
static SearchMove take_step(Runner *r, ThreadId thread, EdgeId *failed) {
  const Program *p = r->program;
  SearchMove worst = MOVE_WAITS;
  uint32_t count;
  const EdgeId *edges = location_edges(p, r->state.locations[thread], &count);
  uint32_t first = count ? (uint32_t)draw(r, count) : 0;
  for (uint32_t i = 0; i < count; i++) {
    EdgeId edge = edges[(first + i) % count];
    SearchMove move = take_edge(r, thread, edge);
    if (move != MOVE_WAITS && move != MOVE_FAILS) return move;
    if (move == MOVE_FAILS) *failed = edge;
    if (move == MOVE_FAILS) worst = MOVE_FAILS;
  }
  return worst;
}

static bool is_inside(const Runner *r, ThreadId thread) {
  return r->program->locations.data[r->state.locations[thread]].atomic;
}

static bool may_enter_section(const Runner *r, ThreadId thread) {
  const Program *p = r->program;
  uint32_t count;
  const EdgeId *edges = location_edges(p, r->state.locations[thread], &count);
  for (uint32_t i = 0; i < count; i++)
    if (p->locations.data[p->edges.data[edges[i]].to].atomic) return true;
  return false;
}

// A step, or a whole section. A section that cannot be finished is not entered.
static SearchMove take_move(Runner *r, ThreadId thread, EdgeId *failed) {
  bool section = may_enter_section(r, thread);
  size_t kept = r->schedule->steps.count;
  if (section) concrete_copy(&r->before, &r->state);
  SearchMove move = MOVE_WAITS;
  for (unsigned tries = 0; tries < MOST_TRIES; tries++) {
    size_t inside = 0;
    move = take_step(r, thread, failed);
    while (move == MOVE_TAKEN && is_inside(r, thread) && inside++ < MOST_SECTION_STEPS)
      move = take_step(r, thread, failed);
    bool stuck = move == MOVE_WAITS || move == MOVE_FAILS || is_inside(r, thread);
    if (move == MOVE_THROUGH || move == MOVE_EARLY || !stuck) return move;
    if (!section) return move;
    concrete_copy(&r->state, &r->before);
    r->schedule->steps.count = kept;
  }
  return move == MOVE_TAKEN ? MOVE_WAITS : move;
}

// Lets one thread move, beginning with a given one.
static SearchMove move_any(Runner *r, ThreadId *running) {
  size_t count = r->program->threads.count;
  SearchMove worst = MOVE_WAITS;
  for (size_t i = 0; i < count; i++) {
    ThreadId t = (ThreadId)((*running + i) % count);
    EdgeId failed = NO_ID;
    SearchMove move = take_move(r, t, &failed);
    if (move != MOVE_WAITS && move != MOVE_FAILS) {
      *running = t;
      return move;
    }
    if (move != MOVE_FAILS) continue;
    ends_add_early(r->ends, t, failed, OUTCOME_BLOCKED, NULL);
    worst = MOVE_FAILS;
  }
  return worst;
}

static void run_once(Runner *r, Budget *budget) {
  Concrete fresh;
  concrete_init(&fresh, r->program, r->ends->account);
  concrete_copy(&r->state, &fresh);
  concrete_free(&fresh);
  schedule_free(r->schedule);
  r->schedule = schedule_new(r->ends->account);
  r->schedule->fingerprint = r->program->fingerprint;
  r->schedule->property = r->ends->property;
  r->steps = 0;
  r->redraws = 0;
  bitset_set(&r->ends->reached, r->program->threads.data[0].entry);
  ThreadId running = 0;
  SearchMove move = MOVE_TAKEN;
  uint64_t patience = 2 + draw(r, 30); // how long a thread runs before another gets a turn
  while (move == MOVE_TAKEN && r->steps < MOST_STEPS && !budget_exhausted(budget, "ends")) {
    if (draw(r, patience) == 0) running = (ThreadId)draw(r, r->program->threads.count);
    move = move_any(r, &running);
    if (move == MOVE_FAILS && draw_again(r)) move = MOVE_TAKEN;
  }
  r->ends->runs++;
  r->ends->through += move != MOVE_EARLY && move != MOVE_FAILS;
}

// --- some executions ---

static void run_some(Ends *ends, Budget *budget) {
  Runner runner = {.ends = ends, .program = ends->program, .seed = 1};
  input_samples_init(&runner.samples, ends->program, ends->account);
  concrete_init(&runner.state, ends->program, ends->account);
  concrete_init(&runner.before, ends->program, ends->account);
  concrete_init(&runner.drawn, ends->program, ends->account);
  double started = clock_now();
  while (!ends->violation && !budget_exhausted_now(budget, "ends-run")) {
    double spent = clock_now() - started;
    if (ends->through > 0 && (ends->runs >= FEW_RUNS || spent > FEW_SECONDS)) break;
    if (ends->runs >= MANY_RUNS || spent > MANY_SECONDS) break;
    run_once(&runner, budget);
  }
  schedule_free(runner.schedule);
  concrete_free(&runner.drawn);
  concrete_free(&runner.before);
  concrete_free(&runner.state);
  input_samples_free(&runner.samples);
}

void ends_look(Ends *ends, Budget *budget) {
  run_some(ends, budget);
  if (ends->through == 0 && ends->early.count > 0 && !ends->violation) ends_look_at_all(ends, budget);
}

// --- for people ---

// "invalid dereference at a.c:3 in thread 0 (main): null pointer"
static void ends_tell(const Ends *ends, const EarlyEnd *early, Text *out) {
  const Step *step = edge_first_step(ends->program, early->edge);
  const char *what = "invalid dereference";
  if (early->outcome == OUTCOME_INVALID_FREE) what = "invalid free";
  if (early->outcome == OUTCOME_ZERO_DIVISOR) what = "division by zero";
  if (early->outcome == OUTCOME_BLOCKED) what = "false assumption";
  if (early->outcome == OUTCOME_CUT) what = "limit of the model";
  text_add(out, what);
  wording_position(out, &step->position);
  text_add(out, " in ");
  wording_thread(out, ends->program, early->thread);
  if (early->complaint) text_format(out, ": %s", early->complaint);
}

enum { MOST_TOLD = 3, LEAST_RUNS = 10 };

void ends_add_note(const Ends *ends, Text *out) {
  if (ends->through > 0 || ends->early.count == 0) return;
  // Executions that end here and there may be unlucky.
  if (!ends->complete && (ends->runs < LEAST_RUNS || ends->early.count > MOST_TOLD)) return;
  if (ends->complete)
    text_add(out, "no execution gets past ");
  else
    text_format(out, "none of %llu executions that were tried gets past ", (unsigned long long)ends->runs);
  for (size_t i = 0; i < ends->early.count && i < MOST_TOLD; i++) {
    text_add(out, i ? ", or the " : "the ");
    ends_tell(ends, &ends->early.data[i], out);
  }
  if (ends->early.count > MOST_TOLD) text_format(out, ", or %zu other places", ends->early.count - MOST_TOLD);
}

void ends_rest_on(Result *result, const Program *program, StepId id, bool met) {
  const Step *step = &program->steps.data[id];
  const char *what = "an invalid dereference";
  if (step->kind == STEP_FREE) what = "an invalid free";
  if (step->kind == STEP_DIVIDE) what = "a division by zero";
  Text text;
  text_init(&text, result->account);
  text_add(&text, what);
  wording_position(&text, &step->position);
  if (!met) text_add(&text, " (if it is reached)");
  result_rest_on(result, ASSUME_NO_UNDEFINED, text.data);
  text_free(&text);
}

static bool is_told(const Ends *ends, const Position *position) {
  for (size_t i = 0; i < ends->early.count; i++) {
    const Edge *edge = &ends->program->edges.data[ends->early.data[i].edge];
    const Position *told = &edge_step(ends->program, edge, 0)->position;
    if (told->file == position->file && told->line == position->line) return true;
  }
  return false;
}

void ends_all_rest_on(const Ends *ends, Result *result) {
  const Program *p = ends->program;
  for (size_t i = 0; i < ends->early.count; i++) {
    const EarlyEnd *early = &ends->early.data[i];
    bool undefined = early->outcome == OUTCOME_INVALID_ACCESS || early->outcome == OUTCOME_INVALID_FREE ||
                     early->outcome == OUTCOME_ZERO_DIVISOR;
    if (undefined) ends_rest_on(result, p, p->edges.data[early->edge].first_step, true);
  }
  if (result_statistic(result, "ends_known") > 0) return;
  for (size_t e = 0; e < p->edges.count; e++) {
    const Step *step = edge_first_step(p, e);
    if (step->access.address == TERM_NONE || !step->access.invalid || is_told(ends, &step->position)) continue;
    ends_rest_on(result, p, p->edges.data[e].first_step, false);
  }
}

// Did an execution come to where it is decided whether the error is reached?
static bool was_asked(const Ends *ends, LocationId at) {
  const Program *p = ends->program;
  for (unsigned steps = 0; steps < MOST_STEPS; steps++) {
    uint32_t count;
    const EdgeId *entering = location_edges_in(p, at, &count);
    if (bitset_get(&ends->reached, at)) return true;
    if (p->locations.data[at].out_count > 1 || count != 1) return false;
    at = p->edges.data[entering[0]].from;
  }
  return false;
}

void ends_add_unreached(const Ends *ends, Text *out) {
  const Program *p = ends->program;
  for (size_t e = 0; e < p->edges.count; e++) {
    const Step *step = edge_first_step(p, e);
    if (step->kind != STEP_ERROR || was_asked(ends, p->edges.data[e].from)) continue;
    text_add(out, "assertion");
    wording_position(out, &step->position);
    text_add_char(out, '\n');
  }
}
