#include "cli/run/round.h"

#include "base/printable.h"
#include "cli/answers/reports.h"
#include "cli/run/engines.h"
#include "cli/run/message.h"
#include "cli/run/portfolio.h"
#include "cli/run/settled_json.h"
#include "cli/run/supervised.h"
#include "cli/run/suppressions.h"
#include "cli/survey/survey_answer.h"
#include "explicit/early_ends.h"
#include "explicit/explicit_engine.h"
#include "judge/lasso.h"
#include "judge/loop_alignment.h"
#include "judge/shorten.h"
#include "report/choices.h"
#include "report/trace_finding.h"
#include "verdict/json.h"

#include <assert.h>

// --- the judge ---

// What the judge saw of the schedule that counts: of an engine, then of what that was shortened to. UNSAFE is said, and
// printed, only of a schedule that the judge has run here, where no engine has ever been.
typedef struct Evidence {
  Check *check;
  Program *program;
  CheckMessage *message; // of the round's answer
  bool told;             // it has the violation already
  Text topic;            // for progress lines
  Schedule *schedule;    // owned; NULL: none yet
  Trace trace;           // of the schedule
  Text complaint;        // the violation, or why there is none
} Evidence;

static void evidence_init(Evidence *evidence, Check *check, Program *program, CheckMessage *message) {
  *evidence = (Evidence){.check = check, .program = program, .message = message};
  trace_init(&evidence->trace, NULL);
  text_init(&evidence->complaint, NULL);
  text_init(&evidence->topic, NULL);
}

static void evidence_free(Evidence *evidence) {
  schedule_free(evidence->schedule);
  trace_free(&evidence->trace);
  text_free(&evidence->topic);
  text_free(&evidence->complaint);
}

// Engines that execute blocks leave threads before what is local to them. Formulas that count steps have no blocks.
static Schedule *align(const Check *check, const Program *program, const Schedule *schedule) {
  const LtlProperty *formula = check->options->formula;
  if (!formula) return schedule_copy(schedule, NULL);
  return lasso_align_loop(program, schedule, !ltl_has_next(&formula->store, formula->formula), NULL);
}

// Runs the schedule, which is the evidence's own from now on.
static JudgeOutcome evidence_judge(Evidence *evidence, Schedule *schedule) {
  assert(schedule);
  const LtlProperty *formula = evidence->check->options->formula;
  Program *program = evidence->program;
  evidence->schedule = schedule;
  schedule_label_threads(schedule, program);
  trace_free(&evidence->trace);
  trace_init(&evidence->trace, NULL);
  text_clear(&evidence->complaint);
  JudgeOutcome outcome = formula
                             ? replay_lasso(program, formula, schedule, &evidence->trace, &evidence->complaint, NULL)
                             : judge_schedule(program, schedule, &evidence->trace, &evidence->complaint, NULL);
  text_one_line(&evidence->complaint);
  return outcome;
}

static JudgeOutcome confirm(void *context, const Result *result, Text *why) {
  Evidence *evidence = context;
  schedule_free(evidence->schedule);
  JudgeOutcome outcome = evidence_judge(evidence, align(evidence->check, evidence->program, result->schedule));
  text_add(why, evidence->complaint.length ? evidence->complaint.data : "no violation at its end");
  return outcome;
}

// Makes the schedule short, which asks the judge about candidates. The judge then runs what they have led to, unless
// nothing has changed.
static JudgeOutcome evidence_shorten(Evidence *evidence) {
  assert(evidence->schedule);
  Budget budget;
  budget_init(&budget, 0, evidence->check->interrupt->flag);
  budget.deadline = evidence->check->deadline;
  bool changed;
  evidence->schedule = schedule_shorten(evidence->program, evidence->schedule, &budget, &changed, NULL);
  return changed ? evidence_judge(evidence, evidence->schedule) : JUDGE_VIOLATION;
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

// The confirmed schedule made short, and told.
static void tell_violation(Evidence *evidence, Result *result, CheckMessage *message) {
  const Check *check = evidence->check;
  Program *program = evidence->program;
  assert(result->confirmed && evidence->schedule);
  if (evidence_shorten(evidence) != JUDGE_VIOLATION) {
    result_unknown_for(result, REASON_INTERNAL, "internal error: a counterexample was lost when it was shortened: %s",
                       evidence->complaint.data);
    return;
  }
  schedule_free(result->schedule);
  result->schedule = schedule_copy(evidence->schedule, result->account);
  const Step *guess = choices_tell(program, &evidence->trace, result);
  choices_tell_replaced(program, &evidence->trace, result);
  if (guess) {
    give_up_guess(program, result, guess);
    return;
  }
  result_count(result, "schedule_steps", (double)result->schedule->steps.count);
  result_count(result, "context_switches", (double)schedule_switches(result->schedule));
  result->kind = evidence->trace.violation;
  text_clear(&result->violation);
  text_add(&result->violation, evidence->complaint.data);
  trace_finding(program, &evidence->trace, &message->finding);
  output_trace(check->options, program, &evidence->trace, result, &message->trace);
  text_add(&message->schedule, "{\n");
  schedule_add_members(result->schedule, program, &message->schedule);
  lowering_add_member(&check->lowering, &message->schedule);
  settled_add_member(check->answers, check->first_answer, &message->schedule);
  text_add(&message->schedule, "\n}\n");
}

static void count_program(Result *result, const Check *check, const Program *program) {
  if (check->survey.seconds > 0) survey_counts_add(&check->survey, result);
  result_count(result, PREPARING_SECONDS, check->preparing);
  result_count(result, "threads", (double)program->threads.count);
  result_count(result, "locations", (double)program->locations.count);
  result_count(result, "edges", (double)program->edges.count);
  result_count(result, "cells", (double)program->cells.count);
  result_count(result, "rounds", check->round + 1);
}

// Completes the answer of the message: its statistics and its reports.
static void complete(Evidence *evidence, Result *result) {
  const Check *check = evidence->check;
  result_seal(result);
  assert((result->answer == ANSWER_UNSAFE) == (result->schedule != NULL));
  count_program(result, check, evidence->program);
  Budget budget;
  budget_init(&budget, 0, check->interrupt->flag);
  budget.deadline = check->deadline;
  reports_make(check->options, result, evidence->program, &evidence->trace, &budget, evidence->message);
}

// --- findings on the way ---

// Was it told before? Then settling it had no effect.
static bool is_known(const Check *check, const Finding *finding) {
  for (size_t i = check->first_answer; i < check->answers->count; i++)
    if (finding_is_same(&check->answers->data[i].finding, finding)) return true;
  return false;
}

// What was told becomes a message of its own. The round's keeps what is about the whole program.
static CheckMessage split_off(CheckMessage *message) {
  CheckMessage told = *message;
  check_message_init(message);
  message->goals = told.goals;
  message->large = told.large;
  text_init(&told.large, NULL);
  goals_init(&told.goals);
  for (size_t i = 0; i < message->goals.rows.count; i++) {
    const PropertyGoal *goal = &message->goals.rows.data[i];
    goals_add(&told.goals, goal->name, goal->safe);
  }
  return told;
}

// Settles the finding in the program and sends it to the parent.
static void hand_over(Evidence *evidence, const Result *result) {
  Check *check = evidence->check;
  Result *copy = result_copy(result, NULL);
  result_count(copy, "seconds", clock_now() - check->started);
  complete(evidence, copy);
  Message message = {.kind = MESSAGE_CHECK, .check = split_off(evidence->message)};
  message.check.result = copy;
  finding_settle(&message.check.finding, evidence->program);
  Text text;
  text_init(&text, NULL);
  message_write(&message, &text);
  child_send(&check->line, &text);
  text_free(&text);
  answers_add(check->answers, check->first_answer, message.check); // in this process; the parent has its own
  round_topic(check, &evidence->topic);
  check->log->topic = evidence->topic.data;
}

// Portfolio.tell.
static AfterFinding tell(void *context, Result *result, Text *finding) {
  Evidence *evidence = context;
  result_rest_on_program(result, evidence->program);
  tell_violation(evidence, result, evidence->message);
  const Finding *found = &evidence->message->finding;
  evidence->told = result->answer != ANSWER_UNSAFE || !found->places.count || is_known(evidence->check, found);
  if (evidence->told) return AFTER_FINDING_ENDS;
  finding_write_json(found, finding);
  hand_over(evidence, result);
  return AFTER_FINDING_GOES_ON;
}

// Portfolio.contradict. The finding stays settled, so that the search goes on for the others.
static void contradict(void *context, const char *finding, const char *reason) {
  Evidence *evidence = context;
  Check *check = evidence->check;
  Message message;
  message_init(&message, MESSAGE_CHECK);
  Result *result = result_new(check->options->property_value, NULL);
  result_unknown_for(result, REASON_INTERNAL, "%s", reason);
  message.check.result = result;
  Text text;
  text_init(&text, NULL);
  cJSON *json = json_parse(finding, strlen(finding), &text);
  bool good = json && finding_read_json(json, &message.check.finding, &text);
  assert(good);
  (void)good;
  cJSON_Delete(json);
  text_clear(&text);
  message_write(&message, &text);
  child_send(&check->line, &text);
  text_free(&text);
  answers_add(check->answers, check->first_answer, message.check);
}

void round_topic(const Check *check, Text *topic) {
  size_t found = 0;
  for (size_t i = check->first_answer; i < check->answers->count; i++)
    found += check->answers->data[i].result->answer == ANSWER_UNSAFE;
  text_clear(topic);
  if (check->subject) text_format(topic, "%s: ", check->subject);
  if (properties_count(check->options->properties) > 1)
    text_format(topic, "%s: ", property_name(check->options->property_value));
  if (found) text_format(topic, "%zu violation%s, others are looked for: ", found, found > 1 ? "s" : "");
}

// --- the round ---

// The kinds of the program's cuts (bits 1 << CutKind) that larger limits would move.
static unsigned growing_cuts(const Check *check, const Program *program) {
  unsigned cuts = 0;
  for (size_t i = 0; i < program->cuts.count; i++) {
    unsigned kind = 1u << program->cuts.data[i].kind;
    LoweringSettings larger = check->lowering;
    if (lowering_grow(&larger, check->options, kind)) cuts |= kind;
    if (program->cuts.data[i].call_count && !program->too_large) cuts |= kind;
  }
  return cuts;
}

// Will the parent begin another round after this result?
static bool leads_on(const Check *check, const Result *result) {
  LoweringSettings larger = check->lowering;
  unsigned cuts = 0;
  for (size_t i = 0; i < result->cuts.count; i++) cuts |= 1u << result->cuts.data[i].kind;
  return result->calls.count || lowering_grow(&larger, check->options, cuts);
}

// The command line that asks the same, for an engine to be added.
static void add_command_line(const Options *options, Text *out) {
  text_add(out, "heddle check");
  for (size_t i = 0; i < options->operands.count; i++) text_format(out, " %s", options->operands.data[i]);
  text_format(out, " --property %s --data-model %s", property_name(options->property_value), options->data_model);
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
// Engines stop a little before the deadline, so that the round has time to tell what they say.
static double engines_end(const Check *check) {
  static const double share = 0.03, most = 1;
  if (check->deadline <= 0) return 0;
  double reserve = (check->deadline - clock_now()) * share;
  return check->deadline - (reserve < 0 ? 0 : reserve < most ? reserve : most);
}

static Result *run_engines(Evidence *evidence, unsigned growing) {
  const Check *check = evidence->check;
  Program *program = evidence->program;
  Features features;
  features_count(program, &features);
  Plan plan;
  plan_make(&plan, check->options, &features);
  if (check->survey_is_safe) plan_add_said(&plan, &survey_engine, check->options);
  bool sliced = growing && !needs_no_slice(&plan);
  Text text;
  text_init(&text, NULL);
  features_print(&features, &text);
  log_detail(check->log, "round %u: %s", check->round + 1, text.data);
  text_clear(&text);
  add_command_line(check->options, &text);
  Portfolio portfolio = {.plan = &plan,
                         .program = program,
                         .property = check->options->property_value,
                         .ltl = check->options->formula,
                         .interrupt = check->interrupt,
                         .log = check->log,
                         .phase = &check->phase,
                         .deadline = sliced ? check->slice_end : engines_end(check),
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
                         .confirm = confirm,
                         .tell = check->options->first || check->options->formula ? NULL : tell,
                         .contradict = contradict,
                         .context = evidence};
  Result *result = portfolio_run(&portfolio);
  text_free(&text);
  return result;
}

static bool out_of_time(const Result *result) { return result->answer == ANSWER_UNKNOWN && result->why == REASON_TIME; }

// The engines, and if a slice of the time was too little and larger limits would not help, once more.
static Result *decide(Evidence *evidence) {
  const Check *check = evidence->check;
  unsigned growing = growing_cuts(check, evidence->program);
  Result *result = run_engines(evidence, growing);
  bool time_left = check->deadline <= 0 || clock_now() < check->deadline;
  if (!growing || !out_of_time(result) || leads_on(check, result) || !time_left || *check->interrupt->flag)
    return result;
  result_free(result);
  return run_engines(evidence, 0);
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

static void check_program(Check *check, Program *program, CheckMessage *message) {
  const FrontLimits *limits = &check->lowering.limits;
  log_detail(check->log,
             "round %u: %zu threads, %zu edges, %zu cells (per site %u threads, %u heap objects; recursion %u)",
             check->round + 1, program->threads.count, program->edges.count, program->cells.count,
             limits->threads_per_site, limits->heap_per_site, limits->recursion);
  Evidence evidence;
  evidence_init(&evidence, check, program, message);
  Result *result = decide(&evidence);
  result_rest_on_program(result, program);
  if (result->answer == ANSWER_UNSAFE && !evidence.told) tell_violation(&evidence, result, message);
  if (result->answer == ANSWER_SAFE) examine_proof(check, program, result);
  complete(&evidence, result);
  evidence_free(&evidence);
  message->result = result;
}

// --- preparing ---

static void pass_begins(void *context, const char *pass, const Program *p) {
  const Check *check = context;
  phase_set(&check->phase, "preparing: %s of %zu edges", pass, p->edges.count);
  if (check->log->terminal)
    log_progress(check->log, "round %u: preparing: %s of %zu edges", check->round + 1, pass, p->edges.count);
}

// Tells once that not all calls are inlined.
static void tell_size(Check *check, bool on_demand_before, Text *large) {
  if (!check->lowering.limits.small_call_edges) return;
  front_describe_size(check->unit, check->lowering.limits.recursion, large);
  if (on_demand_before || check->first_answer) return;
  log_note(check->log, "too large to inline all calls (%s): calls are inlined when executions reach them", large->data);
}

// Comments are warned of once.
static void suppress(const Check *check, Program *program) {
  Text warnings;
  text_init(&warnings, NULL);
  suppressions_apply(program, check->options->property_value, &check->options->suppressions, &warnings);
  bool tell = check->round == 0 && check->answers->count == 0;
  for (const char *line = warnings.data; tell && *line; line += strcspn(line, "\n") + 1)
    log_note(check->log, "%.*s", (int)strcspn(line, "\n"), line);
  text_free(&warnings);
}

// Violations that were found before do not count.
static void settle_found(const Check *check, Program *program) {
  for (size_t i = check->first_answer; i < check->answers->count; i++)
    if (check->answers->data[i].finding.kind != VIOLATION_NONE)
      finding_settle(&check->answers->data[i].finding, program);
}

void round_run(void *context, Text *out) {
  Check *check = context;
  Message message;
  message_init(&message, MESSAGE_CHECK);
  Text error;
  text_init(&error, NULL);
  double started = clock_now();
  bool on_demand = check->lowering.limits.small_call_edges > 0;
  Account account = {.room = "program", .limit = check->memory, .silent = true};
  PassWatch watch = {pass_begins, check};
  phase_set(&check->phase, "lowering");
  if (check->log->terminal) log_progress(check->log, "round %u: lowering", check->round + 1);
  Program *program = lowering_program(check->unit, &check->lowering, &watch, &error, &account);
  if (program) {
    phase_set(&check->phase, "%zu edges, prepared", program->edges.count);
    check->preparing = clock_now() - started;
    log_detail(check->log, "round %u: lowered in %.2f s, %zu MB", check->round + 1, check->preparing,
               account.peak >> 20);
    tell_size(check, on_demand, &message.check.large);
    if (!check->options->no_suppressions) suppress(check, program);
    if (check->options->focus) suppress_places(program, check->options->property_value, check->options->focus);
    goals_find(&message.check.goals, program, check->options->property_value);
    if (check->options->agree > 1) goals_distrust(&message.check.goals);
    settle_found(check, program);
    check_program(check, program, &message.check);
    program_free(program);
  } else if (!error.length) {
    text_add(&error, "the program cannot be lowered");
  }
  message_send(&message, &error, out);
  text_free(&error);
}

static const double TRYING_SECONDS = 0.3; // for a search that might contradict a proof

// Searches a little for a violation, by concrete states. One that the judge executes makes the proof a mistake of ours.
static void try_states(const Check *check, Program *program, Result *result) {
  Account account = {.room = "replay", .limit = check->memory, .silent = true};
  Budget budget;
  budget_init(&budget, TRYING_SECONDS, check->interrupt->flag);
  Log log;
  log_init(&log, LOG_QUIET);
  Context context = {.program = program,
                     .property = result->property,
                     .options = &check->options->engine_options,
                     .budget = &budget,
                     .log = &log,
                     .alone = true,
                     .account = &account};
  Result *said = explicit_engine.run(&context);
  Text text;
  text_init(&text, NULL);
  bool violated = said->answer == ANSWER_UNSAFE && said->schedule &&
                  judge_schedule(program, said->schedule, NULL, &text, NULL) == JUDGE_VIOLATION;
  text_one_line(&text);
  if (violated)
    result_unknown_for(result, REASON_INTERNAL, "internal error: proved by a survey, and yet %s (see --engine replay)",
                       text.data);
  result_count(result, "states_tried", result_statistic(said, "states"));
  text_free(&text);
  result_free(said);
}

void round_try_proof(void *context, Text *out) {
  Check *check = context;
  Message message;
  message_init(&message, MESSAGE_CHECK);
  Result *result = message.check.result = result_new(check->options->property_value, NULL);
  result->answer = ANSWER_SAFE;
  Text error;
  text_init(&error, NULL);
  Account account = {.room = "program", .limit = check->memory, .silent = true};
  PassWatch watch = {pass_begins, check};
  Program *program = lowering_program(check->unit, &check->lowering, &watch, &error, &account);
  if (program) try_states(check, program, result);
  program_free(program);
  message_send(&message, &error, out);
  text_free(&error);
}
