#include "base/names.h"
#include "order/deadlock_goal.h"
#include "order/equal_starts.h"
#include "order/interleaving.h"
#include "order/order.h"
#include "order/race_goals.h"
#include "order/refine.h"
#include "order/settle.h"
#include "order/unroll/unroll.h"
#include "program/settled.h"
#include "verdict/question.h"

#include <string.h>

typedef struct Run {
  Context *context;
  Result *result;
  Program *view; // sliced: same edges
  RefineMode mode;
  unsigned free_iterations; // of loops with constant bounds (unroll.h)
  size_t most_events;
  bool too_large;         // there were more events than `most_events`
  size_t told;            // violations after which the search went on
  bool outdated;          // what is settled since is not left out of the view
  Map constants, refuted; // assumed values of reads (unroll.h) at this bound, and keys of refuted assumptions
  EqualThreads *equal;    // of the view, or NULL: threads are not looked at as equal
  EqualStarts starts;     // at this bound
  RefineStatistics statistics;
  Account *account;
} Run;

enum { DEEPEST = 1 << 30 };
enum {
  MOST_EVENTS = 2000000,
  FIRST_FREE_ITERATIONS = 2,
  MOST_FREE_ITERATIONS = 1 << 14,
  MOST_UNROLLINGS = 5,
  FEW_EVENTS = 300
};

static RefineMode parse_mode(const char *name) {
  static const char *const modes[] = {[REFINE_GRAPH] = "graph", [REFINE_SOLVER] = "solver", [REFINE_EAGER] = "eager"};
  static const NameTable mode_names = NAME_TABLE(modes);
  return (RefineMode)name_parse(mode_names, name);
}

// --- unrolling ---

static bool unroll_once(Run *run, unsigned bound, Events *events, MustOrder *order) {
  UnrollOptions options = {.bound = bound,
                           .free_iterations = run->free_iterations,
                           .most_events = run->most_events,
                           .races = run->context->property == PROPERTY_NO_DATA_RACE,
                           .deadlocks = run->context->property == PROPERTY_NO_DEADLOCK,
                           .doubts = run->context->again,
                           .constants = &run->constants};
  events_init(events, run->view, run->account);
  *order = (MustOrder){0};
  if (!unroll(run->view, &options, events, run->context->budget)) {
    run->too_large = run->context->budget->reason == STOP_NONE;
    return false;
  }
  bool ordered = equal_starts_fit(events, &run->starts);
  if (ordered) equal_starts_guard(events, &run->starts);
  links_find(events, order, ordered ? &run->starts : NULL, run->context->budget);
  return run->context->budget->reason == STOP_NONE;
}

// Removes the assumptions that did not hold.
static void drop_refuted(Run *run) {
  Map kept;
  map_init(&kept, run->account);
  for (size_t i = 0; i < run->constants.capacity; i++) {
    const MapEntry *entry = &run->constants.entries[i];
    if (entry->used && !map_contains(&run->refuted, entry->key)) map_put(&kept, entry->key, entry->value);
  }
  map_free(&run->constants);
  run->constants = kept;
}

// Unrolls again while new constants are found (a limited number of times), and as long as an assumption does not hold.
static bool unroll_program(Run *run, unsigned bound, Events *events, MustOrder *order) {
  map_clear(&run->constants);
  map_clear(&run->refuted);
  run->starts = equal_starts_none();
  bool starts_known = !run->equal;
  for (unsigned attempt = 1;; attempt++) {
    if (!unroll_once(run, bound, events, order)) return false;
    bool learned;
    bool valid = links_learn_constants(events, &run->constants, &run->refuted, &learned);
    bool enough = valid && (!learned || attempt >= MOST_UNROLLINGS);
    if (enough && !starts_known) run->starts = equal_starts_find(run->equal, events, order);
    if (enough && (starts_known || !run->starts.any)) return true;
    starts_known |= enough;
    if (!valid) drop_refuted(run);
    must_order_free(order);
    events_free(events);
  }
}

// --- answers ---

// A violation. True: it is told and settled in the view, and others are to be looked for.
static bool report_unsafe(Run *run, Refinement *refinement) {
  Context *context = run->context;
  Schedule *schedule = interleaving_schedule(&refinement->counterexample, &refinement->sequence, context->program,
                                             refinement->solver, context->property, context->account);
  if (context->tell && context->tell(context, schedule)) {
    schedule_free(schedule);
    view_settle(run->view, context->program);
    run->told++;
    return run->outdated = true;
  }
  run->result->answer = ANSWER_UNSAFE;
  run->result->schedule = schedule;
  return false;
}

static void note_step(Run *run, const char *text, StepId step) {
  const Position *position = &run->context->program->steps.data[step].position;
  Text what;
  text_init(&what, run->account);
  text_add(&what, text);
  if (position->file != NULL) text_format(&what, " at %s:%u", position->file, (unsigned)position->line);
  result_add_cut(run->result, CUT_CONSTRUCT, what.data);
  text_free(&what);
}

// Can an execution meet a cut of the model? If it can, adds the cut to the result.
static Reachability check_cuts(Run *run, Refinement *refinement) {
  unsigned kinds = 1u << GOAL_CUT | 1u << GOAL_UNFORESEEN | 1u << GOAL_DOUBT;
  // A race behind an attempt to lock that was supposed to fail, a deadlock in which it is not sure that a thread waits:
  // those without were asked for before.
  if (refinement->events->suppositions.count > 0) kinds |= 1u << GOAL_RACE | 1u << GOAL_DEADLOCK;
  Reachability answer = refinement_reach(refinement, kinds);
  if (answer != REACHABLE) return answer;
  const Goal *goal = &refinement->events->goals.data[refinement->counterexample.goal];
  switch (goal->kind) {
  case GOAL_CUT: result_add_program_cut(run->result, run->context->program, goal->what); break;
  case GOAL_RACE:
    result_add_program_cut(run->result, run->context->program, refinement_supposition(refinement)->cut);
    break;
  case GOAL_DEADLOCK:
    result_add_cut(run->result, CUT_SEARCH, "a deadlock in which a thread may be able to go on");
    break;
  case GOAL_DOUBT: note_step(run, "a race with what an undefined function may do", goal->what); break;
  default: note_step(run, "a pointer whose target was not foreseen", goal->what); break;
  }
  return answer;
}

// BOUND_AGAIN: the same bound, after a violation behind which the formula does not go on.
typedef enum BoundOutcome { BOUND_DECIDED, BOUND_DEEPEN, BOUND_AGAIN, BOUND_STOPPED } BoundOutcome;

// Looks for violations until there are no others.
static BoundOutcome find_violations(Run *run, Refinement *refinement, Events *events) {
  unsigned kinds = 1u << GOAL_ERROR | 1u << GOAL_RACE | 1u << GOAL_DEADLOCK;
  for (;;) {
    Reachability answer = refinement_reach_certain(refinement, kinds);
    if (answer == REACH_UNDECIDED) return BOUND_STOPPED;
    if (answer == UNREACHABLE) return BOUND_DEEPEN;
    size_t settled = run->view->settled.count;
    if (!report_unsafe(run, refinement)) return BOUND_DECIDED;
    if (!settle_goals(events, refinement->solver, settled)) return BOUND_AGAIN;
  }
}

static BoundOutcome decide(Run *run, Refinement *refinement, Events *events) {
  BoundOutcome outcome = find_violations(run, refinement, events);
  if (outcome != BOUND_DEEPEN) return outcome;
  Reachability cut = check_cuts(run, refinement);
  if (cut == REACHABLE && run->context->may_grow) return BOUND_DECIDED; // try larger limits before deeper loops
  Reachability unwinding = refinement_reach(refinement, 1u << GOAL_UNWINDING);
  if (cut == UNREACHABLE && unwinding == UNREACHABLE) {
    run->result->answer = ANSWER_SAFE;
    return BOUND_DECIDED;
  }
  if (cut == REACH_UNDECIDED || unwinding == REACH_UNDECIDED) return BOUND_STOPPED;
  return unwinding == REACHABLE ? BOUND_DEEPEN : BOUND_DECIDED;
}

static void count_round(Run *run, const Refinement *refinement, unsigned bound) {
  Result *result = run->result;
  const Events *events = refinement->events;
  SolverStatistics solver = solver_statistics(refinement->solver);
  result_count(result, "unwinding", bound);
  result_count(result, "nodes", (double)events->nodes.count);
  result_count(result, "events", (double)events->events.count);
  result_count(result, "links", (double)events->links.count);
  result_count(result, "clauses", (double)solver.clauses);
  result_count(result, "solver_seconds", solver.seconds);
#define X(name) result_count(result, #name, (double)run->statistics.name);
  REFINE_STATISTICS(X)
#undef X
}

static bool add_joint_goals(Run *run, Events *events, const MustOrder *order) {
  if (run->context->property == PROPERTY_NO_DEADLOCK) deadlock_goal_add(events);
  if (run->context->property != PROPERTY_NO_DATA_RACE) return true;
  if (race_goals_add(events, order, run->context->budget)) return true;
  run->too_large = run->context->budget->reason == STOP_NONE;
  return false;
}

// A view that leaves out all that is settled.
static void renew_view(Run *run) {
  if (!run->outdated) return;
  program_free_view(run->view);
  run->view = question_view(run->context->program, run->context->property, FAULTS_MARKED, BLOCK_STEP);
  run->outdated = false;
}

static BoundOutcome run_bound(Run *run, unsigned bound) {
  Events events;
  MustOrder order;
  BoundOutcome outcome = BOUND_STOPPED;
  run->result->cuts.count = 0;
  if (unroll_program(run, bound, &events, &order)) {
    log_progress(run->context->log, "order: unwinding %u, %zu events, %zu links", bound, events.events.count,
                 events.links.count);
    Refinement refinement;
    if (!add_joint_goals(run, &events, &order)) {
      must_order_free(&order);
      events_free(&events);
      return BOUND_STOPPED;
    }
    if (refinement_open(&refinement, run->mode, &events, &order, &run->statistics, run->context->budget, run->account))
      outcome = decide(run, &refinement, &events);
    count_round(run, &refinement, bound);
    refinement_close(&refinement);
  }
  must_order_free(&order);
  events_free(&events);
  return outcome;
}

// If it gives few events, loops with constant bounds are unrolled fully from the start, else deeper and deeper.
static void choose_free_iterations(Run *run, unsigned bound) {
  Events events;
  MustOrder order;
  run->free_iterations = MOST_FREE_ITERATIONS;
  run->most_events = FEW_EVENTS;
  if (!unroll_once(run, bound, &events, &order)) run->free_iterations = FIRST_FREE_ITERATIONS;
  run->too_large = false;
  must_order_free(&order);
  events_free(&events);
}

static unsigned next_bound(unsigned bound) { return bound < 4 ? bound + 1 : bound + bound / 3; }

static void deepen(Run *run) {
  const Budget *budget = run->context->budget;
  long fixed = run->context->options->unwind;
  unsigned bound = fixed > DEEPEST ? DEEPEST : fixed > 0 ? (unsigned)fixed : 1, reached = 0;
  run->free_iterations = MOST_FREE_ITERATIONS;
  if (fixed <= 0) choose_free_iterations(run, bound);
  run->most_events = MOST_EVENTS;
  while (fixed <= 0 && bound <= run->context->unwound) {
    bound = next_bound(bound);
    if (run->free_iterations < MOST_FREE_ITERATIONS) run->free_iterations *= 2;
  }
  for (;; bound = next_bound(bound)) {
    BoundOutcome outcome;
    do {
      renew_view(run);
      outcome = run_bound(run, bound);
    } while (outcome == BOUND_AGAIN);
    if (outcome == BOUND_STOPPED) break;
    reached = bound;
    if (outcome == BOUND_DECIDED) break;
    if (fixed > 0) break;
    if (run->free_iterations < MOST_FREE_ITERATIONS) run->free_iterations *= 2;
  }
  Result *result = run->result;
  result_count(result, "unwound", reached);
  result_count(result, "violations_told", (double)run->told);
  if (reached > 0) text_format(&result->covered, "all executions up to unwinding %u", reached);
  if (result->answer != ANSWER_UNKNOWN) return;
  if (budget->reason != STOP_NONE)
    result_stopped(result, budget->reason);
  else if (run->too_large)
    result_unknown_for(result, REASON_EVENTS, "more than %d events after unwinding %u", MOST_EVENTS, reached);
  else if (result->cuts.count == 0)
    result_unknown_for(result, REASON_UNWINDING, "no %sviolation up to unwinding %u", run->told ? "other " : "",
                       reached);
}

// Which threads of the view are equal; NULL: none are, or it does not matter.
static EqualThreads *find_equal(const Run *run) {
  const Context *context = run->context;
  if (!engine_symmetry(context->options) || run->view->threads.count > MOST_MASKED_THREADS) return NULL;
  if (!question_ignores_equal(run->view, context->property)) return NULL;
  LiveVariables live;
  live_variables(run->view, &live, run->account);
  EqualThreads *equal = memory_allocate(run->account, sizeof *equal);
  equal_threads_init(equal, run->view, &live, run->account);
  live_variables_free(&live);
  if (equal_threads_any(equal)) return equal;
  equal_threads_free(equal);
  memory_free(run->account, equal, sizeof *equal);
  return NULL;
}

static Result *order_run(Context *context) {
  Run run = {.context = context, .account = context->account};
  run.result = result_new(context->property, context->account);
  run.mode = parse_mode(context->options->refine);
  run.view = question_view(context->program, context->property, FAULTS_MARKED, BLOCK_STEP);
  map_init(&run.constants, run.account);
  map_init(&run.refuted, run.account);
  run.starts = equal_starts_none();
  run.equal = find_equal(&run);
  deepen(&run);
  if (run.equal) {
    equal_threads_free(run.equal);
    memory_free(run.account, run.equal, sizeof *run.equal);
  }
  map_free(&run.refuted);
  map_free(&run.constants);
  program_free_view(run.view);
  return run.result;
}

// Without loops one unrolling has all executions; with them, executions are found where they need few turns.
static unsigned order_begins(const Features *features) {
  return features_finite(features) ? BEGINS_SOON : BEGINS_SOON + 2;
}

const Engine order_engine = {.name = "order",
                             .summary = "bounded model checking that refines the order of events",
                             .properties = 1u << PROPERTY_UNREACH_CALL | 1u << PROPERTY_VALID_MEMSAFETY |
                                           1u << PROPERTY_NO_DIVISION_BY_ZERO | 1u << PROPERTY_NO_DATA_RACE |
                                           1u << PROPERTY_VALID_MEMTRACK | 1u << PROPERTY_VALID_MEMCLEANUP |
                                           1u << PROPERTY_NO_OVERFLOW | 1u << PROPERTY_NO_DEADLOCK,
                             .tries_again = 1u << PROPERTY_NO_DEADLOCK | 1u << PROPERTY_VALID_MEMTRACK,
                             .reads = "refine unwind symmetry",
                             .most_edges = MOST_JOINT_EDGES,
                             .begins = order_begins,
                             .run = order_run};
