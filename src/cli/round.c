#include "cli/round.h"

#include "cli/output.h"
#include "cli/portfolio.h"
#include "cli/reports.h"
#include "cli/suppressions.h"
#include "explicit/early_ends.h"
#include "judge/lasso.h"
#include "judge/loop_alignment.h"
#include "judge/shorten.h"
#include "report/choices.h"
#include "verdict/json.h"

// --- the judge ---

typedef struct Judge {
  const Check *check;
  const Program *program;
} Judge;

// Runs the schedule here, where the engine has never been. UNSAFE is only said after this.
static JudgeOutcome replay(const Check *check, const Program *program, const Schedule *schedule, Trace *trace,
                           Text *message) {
  const LtlProperty *formula = check->options->formula;
  return formula ? replay_lasso(program, formula, schedule, trace, message, NULL)
                 : judge_schedule(program, schedule, trace, message, NULL);
}

// Engines that execute blocks leave threads before what is local to them. Formulas that count steps have no blocks.
static Schedule *settle(const Check *check, const Program *program, const Schedule *schedule, Account *account) {
  const LtlProperty *formula = check->options->formula;
  if (!formula) return schedule_copy(schedule, account);
  return lasso_align_loop(program, schedule, !ltl_has_next(&formula->store, formula->formula), account);
}

static bool execute(void *context, const Result *result, Text *why) {
  const Judge *judge = context;
  Trace trace;
  trace_init(&trace, NULL);
  Schedule *schedule = settle(judge->check, judge->program, result->schedule, NULL);
  bool violated = replay(judge->check, judge->program, schedule, &trace, why) == JUDGE_VIOLATION;
  schedule_free(schedule);
  trace_free(&trace);
  text_one_line(why);
  if (!violated && !why->length) text_add(why, "no violation at its end");
  return violated;
}

// The execution is one of the model, and nothing says that it is one of the program.
static void give_up_guess(const Program *program, Result *result, const Step *guess) {
  const Position *at = &guess->position;
  const char *function = at->model;
  for (uint32_t i = 0; i < guess->assignment_count && !function; i++) {
    const Variable *variable = &program->variables.data[guess->assignments[i].variable];
    if (variable->guessed) function = variable->name;
  }
  result_unknown_for(result, REASON_GUESS, "a violation that hangs on what %s gives at %s:%u",
                     function ? function : "a function", at->file ? at->file : "?", (unsigned)at->line);
}

// The schedule made short, executed once more, and told.
static void tell_violation(const Check *check, Program *program, Result *result, Trace *trace, Finding *finding) {
  Text message;
  text_init(&message, NULL);
  Budget budget;
  budget_init(&budget, 0, check->interrupt->flag);
  budget.deadline = check->deadline;
  Schedule *settled = settle(check, program, result->schedule, result->account);
  schedule_free(result->schedule);
  result->schedule = schedule_shorten(program, settled, &budget, result->account);
  schedule_label_threads(result->schedule, program);
  result->confirmed = replay(check, program, result->schedule, trace, &message) == JUDGE_VIOLATION;
  text_one_line(&message);
  const Step *guess = result->confirmed ? choices_tell(program, trace, result) : NULL;
  if (guess) {
    give_up_guess(program, result, guess);
  } else if (result->confirmed) {
    result_count(result, "schedule_steps", (double)result->schedule->steps.count);
    result_count(result, "context_switches", (double)schedule_switches(result->schedule));
    result->kind = trace->violation;
    text_clear(&result->violation);
    text_add(&result->violation, message.data);
    output_trace(check->options, program, trace, result, &finding->trace);
    schedule_write_json(result->schedule, program, &finding->schedule);
    lowering_add_json(&check->lowering, &finding->schedule);
  } else {
    result_unknown_for(result, REASON_INTERNAL, "internal error: a counterexample was lost when it was shortened: %s",
                       message.data);
  }
  text_free(&message);
}

// --- the round ---

// The kinds of the program's cuts (bits 1 << CutKind) that larger limits would move.
static unsigned growing_cuts(const Check *check, const Program *program) {
  unsigned cuts = 0;
  for (size_t i = 0; i < program->cuts.count; i++) {
    unsigned kind = 1u << program->cuts.data[i].kind;
    Lowering larger = check->lowering;
    if (lowering_grow(&larger, check->options, kind)) cuts |= kind;
    if (program->cuts.data[i].call_count && !program->too_large) cuts |= kind;
  }
  return cuts;
}

// Will the parent begin another round after this result?
static bool leads_on(const Check *check, const Result *result) {
  Lowering larger = check->lowering;
  unsigned cuts = 0;
  for (size_t i = 0; i < result->cuts.count; i++) cuts |= 1u << result->cuts.data[i].kind;
  return result->calls.count || lowering_grow(&larger, check->options, cuts);
}

// The command line that asks the same, for an engine to be added.
static void add_command_line(const Options *options, Text *out) {
  text_add(out, "heddle check");
  for (size_t i = 0; i < options->operands.count; i++) text_format(out, " %s", options->operands.data[i]);
  text_format(out, " --property %s --data-model %s", options->property, options->data_model);
  bool racy = strcmp(options->volatile_accesses, "racy") == 0;
  if (!racy) text_format(out, " --volatile %s", options->volatile_accesses);
}

static const double FIRST_SLICE = 1;   // seconds
static const double PROOF_SECONDS = 1; // for a look at what a proof is worth

// A single engine that can tell whether larger limits would help it needs no slice: it stops when that is so.
static bool needs_no_slice(const Plan *plan) {
  return plan->count == 1 && plan->lanes[0].count == 1 && plan->lanes[0].members[0].engine->stops_to_grow;
}

// `growing`: the cuts for which the program would be lowered again; if there are any, they get a slice of the time.
static Result *run_engines(const Check *check, Program *program, unsigned growing) {
  Features features;
  features_count(program, &features);
  Plan plan;
  plan_make(&plan, check->options, &features);
  bool sliced = growing && !needs_no_slice(&plan);
  Text text;
  text_init(&text, NULL);
  features_print(&features, &text);
  log_detail(check->log, "round %u: %s", check->round + 1, text.data);
  text_clear(&text);
  add_command_line(check->options, &text);
  Judge judge = {check, program};
  Portfolio portfolio = {.plan = &plan,
                         .program = program,
                         .property = check->options->property_value,
                         .ltl = check->options->formula,
                         .interrupt = check->interrupt,
                         .log = check->log,
                         .phase = &check->phase,
                         .deadline = sliced ? check->slice_end : check->deadline,
                         .memory = check->memory,
                         .jobs = check->jobs,
                         .slice = FIRST_SLICE,
                         .agree = (unsigned)check->options->agree,
                         .may_grow = growing != 0,
                         .round = check->round,
                         .growing = growing,
                         .grow_at = growing ? check->slice_end : 0,
                         .dump_folder = check->options->dump_smt,
                         .cross_check = check->options->cross_check,
                         .repeat = text.data,
                         .confirm = execute,
                         .context = &judge};
  Result *result = portfolio_run(&portfolio);
  text_free(&text);
  return result;
}

static void count_program(Result *result, const Check *check, const Program *program) {
  result_count(result, PREPARING_SECONDS, check->preparing);
  result_count(result, "threads", (double)program->threads.count);
  result_count(result, "locations", (double)program->locations.count);
  result_count(result, "edges", (double)program->edges.count);
  result_count(result, "cells", (double)program->cells.count);
  result_count(result, "rounds", check->round + 1);
}

static bool out_of_time(const Result *result) { return result->answer == ANSWER_UNKNOWN && result->why == REASON_TIME; }

// The engines, and if a slice of the time was too little and larger limits would not help, once more.
static Result *decide(const Check *check, Program *program) {
  unsigned growing = growing_cuts(check, program);
  Result *result = run_engines(check, program, growing);
  bool time_left = check->deadline <= 0 || clock_now() < check->deadline;
  if (!growing || !out_of_time(result) || leads_on(check, result) || !time_left || *check->interrupt->flag)
    return result;
  result_free(result);
  return run_engines(check, program, 0);
}

// --- what a proof is worth ---

static void tell_unreached(const Check *check, const Ends *ends) {
  Text text;
  text_init(&text, NULL);
  ends_add_unreached(ends, &text);
  for (char *line = text.data, *end; *line; line = end + 1) {
    end = strchr(line, '\n');
    *end = '\0';
    log_detail(check->log, "%s: not reached by %llu executions", line, (unsigned long long)ends->runs);
  }
  text_free(&text);
}

// Looks how executions end; one that violates the property makes the proof a mistake of ours.
static void examine_proof(const Check *check, const Program *program, Result *result) {
  Budget budget;
  budget_init(&budget, PROOF_SECONDS, check->interrupt->flag);
  if (check->deadline > 0 && check->deadline < budget.deadline) budget.deadline = check->deadline;
  Ends ends;
  ends_init(&ends, program, result->property, NULL);
  ends_look(&ends, &budget);
  Text text;
  text_init(&text, NULL);
  if (ends.violation && judge_schedule(program, ends.violation, NULL, &text, NULL) == JUDGE_VIOLATION) {
    result_unknown_for(result, REASON_INTERNAL, "internal error: proved, and yet %s", text.data);
  } else {
    text_clear(&text);
    ends_add_note(&ends, &text);
    if (text.length) result_add_note(result, NOTE_VACUOUS, text.data);
    ends_all_rest_on(&ends, result);
    if (result->property == PROPERTY_UNREACH_CALL) tell_unreached(check, &ends);
  }
  result_count(result, "executions_tried", (double)ends.runs);
  text_free(&text);
  ends_free(&ends);
}

static void check_program(Check *check, Program *program, Finding *finding) {
  const FrontLimits *limits = &check->lowering.limits;
  log_detail(check->log,
             "round %u: %zu threads, %zu edges, %zu cells (per site %u threads, %u heap objects; recursion %u)",
             check->round + 1, program->threads.count, program->edges.count, program->cells.count,
             limits->threads_per_site, limits->heap_per_site, limits->recursion);
  Result *result = decide(check, program);
  result_rest_on_program(result, program);
  Trace trace;
  trace_init(&trace, NULL);
  if (result->answer == ANSWER_UNSAFE) tell_violation(check, program, result, &trace, finding);
  if (result->answer == ANSWER_SAFE) examine_proof(check, program, result);
  result_seal(result);
  count_program(result, check, program);
  Budget budget;
  budget_init(&budget, 0, check->interrupt->flag);
  budget.deadline = check->deadline;
  reports_make(check->options, result, program, &trace, &budget, finding);
  trace_free(&trace);
  result_write_json(result, NULL, &finding->result);
  result_free(result);
}

// --- preparing ---

static void pass_begins(void *context, const char *pass, const Program *p) {
  const Check *check = context;
  phase_set(&check->phase, "preparing: %s of %zu edges", pass, p->edges.count);
  if (check->log->terminal)
    log_progress(check->log, "round %u: preparing: %s of %zu edges", check->round + 1, pass, p->edges.count);
}

// Tells once that not all calls are inlined.
static void tell_size(Check *check, bool on_demand_before, Finding *finding) {
  if (!check->lowering.limits.small_call_edges) return;
  front_describe_size(check->unit, check->lowering.limits.recursion, &finding->large);
  if (on_demand_before) return;
  log_note(check->log, "too large to inline all calls (%s): calls are inlined when executions reach them",
           finding->large.data);
}

// Comments are warned of once.
static void suppress(const Check *check, Program *program) {
  Text warnings;
  text_init(&warnings, NULL);
  suppressions_apply(program, check->options->property_value, &check->options->suppressions, &warnings);
  for (const char *line = warnings.data; check->round == 0 && *line; line += strcspn(line, "\n") + 1)
    log_note(check->log, "%.*s", (int)strcspn(line, "\n"), line);
  text_free(&warnings);
}

void round_run(void *context, Text *out) {
  Check *check = context;
  Finding finding;
  finding_init(&finding);
  double started = clock_now();
  bool on_demand = check->lowering.limits.small_call_edges > 0;
  Account account = {.room = "program", .limit = check->memory, .silent = true};
  PassWatch watch = {pass_begins, check};
  phase_set(&check->phase, "lowering");
  if (check->log->terminal) log_progress(check->log, "round %u: lowering", check->round + 1);
  Program *program = lowering_program(check->unit, &check->lowering, &watch, &finding.error, &account);
  if (program) {
    phase_set(&check->phase, "%s", "");
    check->preparing = clock_now() - started;
    log_detail(check->log, "round %u: lowered in %.2f s, %zu MB", check->round + 1, check->preparing,
               account.peak >> 20);
    tell_size(check, on_demand, &finding);
    if (!check->options->no_suppressions) suppress(check, program);
    check_program(check, program, &finding);
    program_free(program);
  } else if (!finding.error.length) {
    text_add(&finding.error, "the program cannot be lowered");
  }
  finding_write(&finding, out);
  finding_free(&finding);
}
