#include "cli/round.h"

#include "cli/output.h"
#include "cli/reports.h"
#include "replay/replay.h"
#include "replay/shorten.h"
#include "verdict/json.h"

// --- the engine, in its own process ---

typedef struct EngineJob {
  const Check *check;
  Program *program;
  double deadline;
  bool may_grow;
} EngineJob;

static void run_engine(void *context, Text *out) {
  const EngineJob *job = context;
  const Check *check = job->check;
  Account account = {.room = check->engine->name, .limit = check->memory};
  Budget budget;
  budget_init(&budget, 0, check->interrupt->flag);
  budget.deadline = job->deadline;
  Context engine_context = {.program = job->program,
                            .property = check->options->property_value,
                            .options = &check->options->engine_options,
                            .budget = &budget,
                            .log = check->log,
                            .may_grow = job->may_grow,
                            .account = &account};
  Result *result = check->engine->run(&engine_context);
  result_count(result, "engine_bytes", (double)account.peak);
  log_progress_end(check->log);
  result_write_json(result, job->program, out);
}

static Result *read_engine_result(const Check *check, const Program *program, const ChildReport *report) {
  Property property = check->options->property_value;
  Result *result = NULL;
  if (report->end == CHILD_DONE) {
    Text error;
    text_init(&error, NULL);
    result = result_read_json(report->output.data, program, &error, NULL);
    if (!result) {
      result = result_new(property, NULL);
      result_unknown(result, "internal error: the engine's answer cannot be read: %s", error.data);
    }
    text_free(&error);
    return result;
  }
  result = result_new(property, NULL);
  if (report->end == CHILD_CRASHED)
    result_unknown(result, "engine %s", report->reason.data);
  else
    result_unknown(result, "%s", report->reason.data);
  return result;
}

static Result *call_engine(Check *check, Program *program, double deadline, bool may_grow) {
  EngineJob job = {.check = check, .program = program, .deadline = deadline, .may_grow = may_grow};
  ChildLimits limits = {
      .deadline = deadline > 0 ? deadline + ENGINE_GRACE : 0, .grace = ENGINE_GRACE, .memory = check->memory};
  ChildReport report;
  double started = clock_now();
  child_run(check->interrupt, &limits, run_engine, &job, &report);
  Result *result = read_engine_result(check, program, &report);
  result_count(result, "engine_seconds", clock_now() - started);
  result_count(result, "peak_memory", report.peak_memory);
  child_report_free(&report);
  return result;
}

// --- the judge ---

// Runs the schedule here, where the engine has never been. UNSAFE is only said after this.
static void confirm(const Check *check, const Program *program, Result *result, Trace *trace, Finding *finding) {
  result->confirmed = false;
  if (result->answer != ANSWER_UNSAFE) return;
  if (!result->schedule) {
    result_unknown(result, "internal error: a counterexample without a schedule");
    return;
  }
  Text message;
  text_init(&message, NULL);
  Budget budget;
  budget_init(&budget, 0, check->interrupt->flag);
  budget.deadline = check->deadline;
  result->schedule = schedule_shorten(program, result->schedule, &budget, result->account);
  ReplayOutcome outcome = replay_run(program, result->schedule, trace, &message, NULL);
  text_one_line(&message);
  if (result->schedule->property != check->options->property_value)
    result_unknown(result, "internal error: a counterexample to another property");
  else if (outcome == REPLAY_VIOLATION) {
    result->confirmed = true;
    result_count(result, "schedule_steps", (double)result->schedule->steps.count);
    result_count(result, "context_switches", (double)schedule_switches(result->schedule));
    text_clear(&result->violation);
    text_add(&result->violation, message.data);
    TraceStyle style = output_trace_style(check->options);
    trace_print_text(program, trace, result, &style, &finding->trace);
    schedule_write_json(result->schedule, program, &finding->schedule);
    lowering_add_json(&check->lowering, &finding->schedule);
  } else {
    result_unknown(result, "internal error: the counterexample was not confirmed: %s",
                   message.length ? message.data : "no violation at its end");
  }
  text_free(&message);
}

// --- the round ---

// True if the program has a cut that larger limits would move.
static bool may_grow(const Check *check, const Program *program) {
  unsigned cuts = 0;
  for (size_t i = 0; i < program->cuts.count; i++) cuts |= 1u << program->cuts.data[i].kind;
  Lowering larger = check->lowering;
  return lowering_grow(&larger, check->options, cuts);
}

static void count_program(Result *result, const Check *check, const Program *program) {
  result_count(result, "threads", (double)program->threads.count);
  result_count(result, "locations", (double)program->locations.count);
  result_count(result, "edges", (double)program->edges.count);
  result_count(result, "cells", (double)program->cells.count);
  result_count(result, "rounds", check->round + 1);
}

static void check_program(Check *check, Program *program, Finding *finding) {
  double deadline = check->deadline;
  bool growing = check->slice_end > 0 && may_grow(check, program);
  if (growing) {
    deadline = check->slice_end;
    text_add(&finding->sliced, "yes");
  }
  const FrontLimits *limits = &check->lowering.limits;
  log_detail(check->log,
             "round %u: %zu threads, %zu edges, %zu cells (per site %u threads, %u heap objects; recursion %u)",
             check->round + 1, program->threads.count, program->edges.count, program->cells.count,
             limits->threads_per_site, limits->heap_per_site, limits->recursion);
  Result *result = call_engine(check, program, deadline, growing);
  result->assumptions |= program->assumptions;
  Trace trace;
  trace_init(&trace, NULL);
  confirm(check, program, result, &trace, finding);
  result_seal(result);
  count_program(result, check, program);
  reports_make(check->options, result, program, &trace, finding);
  trace_free(&trace);
  result_write_json(result, NULL, &finding->result);
  result_free(result);
}

void round_run(void *context, Text *out) {
  Check *check = context;
  Finding finding;
  finding_init(&finding);
  double started = clock_now();
  Program *program = lowering_program(check->unit, &check->lowering, &finding.error, NULL);
  if (program) {
    log_detail(check->log, "round %u: lowered in %.2f s", check->round + 1, clock_now() - started);
    check_program(check, program, &finding);
    program_free(program);
  } else if (!finding.error.length) {
    text_add(&finding.error, "the program cannot be lowered");
  }
  finding_write(&finding, out);
  finding_free(&finding);
}
