#include "reach/certificate.h"
#include "reach/impact.h"
#include "reach/invariants.h"
#include "reach/reach.h"
#include "verdict/schedule_builder.h"

typedef struct Run {
  Context *context;
  Result *result;
  Program *view;
  Impact impact;
} Run;

static ImpactOptions parse_options(const EngineOptions *options) {
  ImpactOptions parsed = {.reduction = REDUCE_MONOTONE, .force_cover = strcmp(options->force_cover, "no") != 0};
  if (strcmp(options->reduction, "none") == 0) parsed.reduction = REDUCE_NONE;
  if (strcmp(options->reduction, "local") == 0) parsed.reduction = REDUCE_LOCAL;
  parsed.breadth_first = strcmp(options->search, "bfs") == 0;
  return parsed;
}

// --- the schedule of an error path ---

static EdgeId *edges_of_steps(const Program *p, Account *account) {
  EdgeId *edges = memory_allocate(account, p->steps.count * sizeof(EdgeId));
  for (EdgeId e = 0; e < p->edges.count; e++) edges[p->edges.data[e].first_step] = e;
  return edges;
}

typedef struct Teller {
  Run *run;
  const Program *whole;
  ScheduleBuilder builder;
  const EdgeId *edge_of; // step of the unreduced program -> its edge
  BitsVector fresh;
} Teller;

static Bits told_value(const Teller *t, Term term) { return solver_value(t->run->impact.solver, term); }

static void note_initial_cells(Teller *t) {
  const Program *p = t->whole;
  for (CellId c = 0; c < p->cells.count; c++) {
    uint64_t known;
    if (p->cells.data[c].initial == TERM_NONE && map_get(&t->run->impact.walk.initial, p->cells.data[c].term, &known))
      schedule_builder_initial(&t->builder, c, told_value(t, (Term)known));
  }
}

// One step of an edge of the view. The instances of the edge's fresh variables are used up in order: `instance`.
static void tell_step(Teller *t, ThreadId thread, const Step *reduced, uint32_t *instance) {
  const TermVector *inputs = &t->run->impact.walk.inputs;
  BuiltStep step = {.thread = thread, .edge = t->edge_of[reduced->origin], .reduced = reduced};
  bool stores = reduced->access.address != TERM_NONE && reduced->access.writes;
  if (stores && reduced->access.stored == VALUE_INDETERMINATE)
    step.forgotten = told_value(t, inputs->data[(*instance)++]);
  BitsVector_clear(&t->fresh);
  for (uint32_t k = 0; k < reduced->assignment_count; k++)
    if (value_is_fresh(reduced->assignments[k].value))
      BitsVector_push(&t->fresh, told_value(t, inputs->data[(*instance)++]));
  step.fresh = t->fresh.data;
  schedule_builder_add(&t->builder, &step);
}

// The start of a thread that was created, and the error that certainly follows, are part of a transition.
static void tell_what_belongs_to(Teller *t, ThreadId thread, const Transition *transition) {
  const Program *view = t->run->view;
  uint32_t none = 0;
  EdgeId start = NO_ID;
  if (transition->creates != NO_ID) thread_beginning(view, transition->creates, &start);
  if (start != NO_ID) tell_step(t, transition->creates, &view->steps.data[view->edges.data[start].first_step], &none);
  if (transition->then != NO_ID)
    tell_step(t, thread, &view->steps.data[view->edges.data[transition->then].first_step], &none);
}

static void report_unsafe(Run *run) {
  Impact *impact = &run->impact;
  Context *context = run->context;
  Account *account = context->account;
  EdgeId *edge_of = edges_of_steps(context->program, account);
  Teller t = {.run = run, .whole = context->program, .edge_of = edge_of};
  schedule_builder_init(&t.builder, context->program, context->property, account);
  BitsVector_init(&t.fresh, account);
  walk_to(&impact->walk, impact->error); // with the goal's own step
  note_initial_cells(&t);
  for (size_t i = 0; i < impact->walk.steps.count; i++) {
    const WalkStep *step = &impact->walk.steps.data[i];
    const Edge *edge = &run->view->edges.data[step->edge];
    uint32_t instance = step->inputs;
    ThreadId thread = run->view->locations.data[edge->from].thread;
    for (uint32_t k = 0; k < edge->step_count; k++)
      tell_step(&t, thread, &run->view->steps.data[edge->first_step + k], &instance);
    tell_what_belongs_to(&t, thread, &impact->transitions.edges.data[step->edge]);
  }
  run->result->answer = ANSWER_UNSAFE;
  run->result->schedule = t.builder.schedule;
  BitsVector_free(&t.fresh);
  schedule_builder_free(&t.builder);
  memory_free(account, edge_of, context->program->steps.count * sizeof(EdgeId));
}

// --- the answer ---

static void report_cuts(Run *run) {
  const U32Vector *cuts = &run->impact.met_cuts;
  for (size_t i = 0; i < cuts->count; i++) {
    if (cuts->data[i] == NO_ID)
      result_add_cut(run->result, CUT_CONSTRUCT, "a pointer whose target was not foreseen");
    else
      result_add_program_cut(run->result, run->context->program, cuts->data[i]);
  }
}

static void report(Run *run, ImpactAnswer answer) {
  Result *result = run->result;
  Impact *impact = &run->impact;
  report_cuts(run);
  switch (answer) {
  case IMPACT_UNSAFE: report_unsafe(run); break;
  case IMPACT_SAFE: {
    const char *flaw =
        result->cuts.count > 0 ? NULL : certificate_check(impact, run->context->budget, run->context->account);
    if (flaw)
      result_unknown(result, "%s", flaw);
    else if (result->cuts.count == 0) {
      result->answer = ANSWER_SAFE;
      invariants_print(impact, &result->proof);
    }
    break;
  }
  case IMPACT_DIVERGED: result_unknown(result, "%s", impact->diverged); break;
  case IMPACT_STOPPED: result_unknown(result, "%s", stop_reason_text(run->context->budget->reason)); break;
  }
  impact->statistics.controls = control_count(&impact->controls);
  impact->statistics.implications = impact->implications.by_solver;
#define X(name) result_count(result, #name, (double)impact->statistics.name);
  IMPACT_STATISTICS(X)
#undef X
}

enum { MOST_THREADS = 64 };

static Result *reach_run(Context *context) {
  Run run = {.context = context, .result = result_new(context->property, context->account)};
  if (context->program->threads.count > MOST_THREADS) {
    result_unknown(run.result, "more than %d threads", MOST_THREADS);
    return run.result;
  }
  ImpactOptions options = parse_options(context->options);
  run.view = program_view(context->program);
  passes_reduce(run.view, property_preserves(context->property), strcmp(context->options->block, "single") != 0);
  impact_init(&run.impact, run.view, &options, context->budget, context->log, context->account);
  report(&run, impact_run(&run.impact));
  impact_free(&run.impact);
  program_free_view(run.view);
  return run.result;
}

const Engine reach_engine = {.name = "reach",
                             .summary = "abstract reachability with labels from infeasible paths (Impact)",
                             .properties = 1u << PROPERTY_UNREACH_CALL,
                             .run = reach_run};
