#include "circuit/circuit_engine.h"
#include "circuit/liveness.h"
#include "program/settled.h"
#include "verdict/question.h"

#include <string.h>

// --- the model ---

const char *circuit_model_init(CircuitModel *m, Program *program, Property property, BlockSize size,
                               Scheduling scheduling, bool symmetry, Budget *budget, Account *account) {
  *m = (CircuitModel){0};
  assert(program->threads.count > 0);
  if (program->threads.count > MOST_MASKED_THREADS) return "more than 64 threads";
  m->view = question_joint_view(program, property, size);
  transitions_init(&m->transitions, m->view, account);
  const char *flaw = words_init(&m->words, &m->transitions, property == PROPERTY_LTL, budget, account);
  if (flaw) return flaw;
  m->has_circuit = true;
  BeginOrder begins = begin_order_none();
  if (symmetry && question_ignores_equal(m->view, property)) begins = begin_order_find(&m->transitions, account);
  return circuit_init(&m->circuit, &m->words, scheduling, &begins, budget, account);
}

void circuit_model_free(CircuitModel *m) {
  if (!m->view) return;
  if (m->has_circuit) circuit_free(&m->circuit);
  words_free(&m->words);
  transitions_free(&m->transitions);
  program_free_view(m->view);
}

// --- options ---

static const char *const schedules[] = {
    [SCHEDULE_INTERLEAVED] = "interleaved", [SCHEDULE_STUBBORN] = "stubborn", [SCHEDULE_TRANSACTIONS] = "transactions"};
static const NameTable schedule_names = NAME_TABLE(schedules);

CircuitOptions circuit_options(const EngineOptions *options) {
  return (CircuitOptions){.scheduling = (Scheduling)name_parse(schedule_names, options->schedule),
                          .symmetry = engine_symmetry(options),
                          .method = method_of((MethodKind)name_parse(method_names, options->method))};
}

static bool has_value(NameTable values, const char *option, const char *value, Text *error) {
  if (name_known(values, value)) return true;
  text_format(error, "unknown %s '%s'; known are", option, value);
  for (size_t i = 0; i < values.count; i++) text_format(error, "%s %s", i ? "," : "", values.names[i]);
  return false;
}

static bool circuit_accepts(const EngineOptions *options, Text *error) {
  return has_value(schedule_names, "schedule", options->schedule, error) &&
         has_value(method_names, "method", options->method, error);
}

// --- questions ---

Question circuit_question(QuestionKind kind, Circuit *c, Context *context, Budget *budget, Result *result,
                          CircuitTrace *trace, Text *reason) {
  return (Question){.kind = kind,
                    .circuit = c,
                    .budget = budget,
                    .log = context->log,
                    .account = context->account,
                    .trace = trace,
                    .reason = reason,
                    .covered = &result->covered,
                    .result = result};
}

// --- a run ---

typedef struct Run {
  Context *context;
  Budget *budget;
  const Method *method;
  CircuitModel model;
  Result *result;
  Text reason;
  size_t told;    // violations after which the search went on
  bool with_cuts; // the present question asks for cuts, too
  bool outdated;  // the circuit must be built again (circuit_settle)
} Run;

static void report_error(Run *run, const CircuitTrace *trace) {
  run->result->answer = ANSWER_UNSAFE;
  run->result->schedule =
      circuit_trace_schedule(&run->model.circuit, trace, run->context->program, run->context->property);
}

void circuit_report_cut(Result *result, const Circuit *c, const CircuitEdge *goal) {
  assert(goal->edge < c->transitions->edges.count);
  const Transition *transition = &c->transitions->edges.data[goal->edge];
  switch (goal->goal) {
  case GOAL_END: result_add_program_cut(result, c->transitions->program, transition->cut); break;
  case GOAL_MISSED: result_add_cut(result, CUT_CONSTRUCT, "a pointer whose target was not foreseen"); break;
  case GOAL_UNSUPPORTED:
    result_add_cut(result, CUT_CONSTRUCT, "floating-point numbers or arrays, which circuits do not know");
    break;
  }
}

static AigLiteral bad_of(Run *run) {
  Circuit *c = &run->model.circuit;
  return run->with_cuts ? aig_or(&c->aig, c->error, c->cut) : c->error;
}

// Question.tell.
static bool tell_violation(Question *question) {
  Run *run = question->context;
  const Context *context = run->context;
  Circuit *c = &run->model.circuit;
  TraceEnd end = circuit_trace_end(c, question->trace);
  if (!end.is_error || !context->tell) return false;
  Schedule *schedule = circuit_trace_schedule(c, question->trace, context->program, context->property);
  bool goes_on = context->tell(context, schedule);
  schedule_free(schedule);
  if (!goes_on) return false;
  run->told++;
  size_t first = run->model.view->settled.count;
  view_settle(run->model.view, context->program);
  run->outdated = !circuit_settle(c, context->program, first);
  if (run->outdated) return false;
  circuit_trace_clear(question->trace);
  question->bad = bad_of(run);
  return true;
}

// Asks whether `bad` can happen, and keeps the answer in the result. Returns whether a cut can happen; then it is not
// known yet whether an error can.
static bool query(Run *run, bool with_cuts) {
  run->with_cuts = with_cuts;
  CircuitTrace trace;
  circuit_trace_init(&trace, run->context->account);
  text_clear(&run->reason);
  text_clear(&run->result->covered);
  Question question = circuit_question(QUESTION_REACH, &run->model.circuit, run->context, run->budget, run->result,
                                       &trace, &run->reason);
  question.bad = bad_of(run);
  question.tell = tell_violation;
  question.context = run;
  bool cut = false;
  switch (method_answer(run->method, &question)) {
  case METHOD_UNREACHABLE:
    if (run->result->cuts.count == 0) run->result->answer = ANSWER_SAFE;
    break;
  case METHOD_REACHED: {
    if (run->outdated) break;
    TraceEnd end = circuit_trace_end(&run->model.circuit, &trace);
    cut = end.goal && !end.is_error;
    if (!end.goal)
      result_unknown_for(run->result, REASON_INTERNAL, "internal error: a trace of %s leads nowhere",
                         run->method->name);
    if (cut) circuit_report_cut(run->result, &run->model.circuit, end.goal);
    if (end.is_error) report_error(run, &trace);
    break;
  }
  case METHOD_UNKNOWN: result_unknown_for(run->result, circuit_reason(&question), "%s", run->reason.data); break;
  }
  circuit_trace_free(&trace);
  return cut;
}

ReasonKind circuit_reason(const Question *question) {
  return question->broken ? REASON_INTERNAL : reason_of_stop(question->budget->reason);
}

void circuit_report_size(Result *result, const Circuit *c) {
  result_count(result, "latches", (double)c->latches.count);
  result_count(result, "inputs", (double)c->inputs.count);
  result_count(result, "and_gates", (double)c->aig.gate_count);
}

static void run_method(Run *run) {
  const Circuit *c = &run->model.circuit;
  const char *missing = run->model.view->joints_missing;
  circuit_report_size(run->result, c);
  result_count(run->result, "circuit_errors", (double)c->errors.count);
  result_count(run->result, "circuit_cuts", (double)c->cuts.count);
  for (bool again = true; again;) {
    size_t told = run->told;
    run->result->cuts.count = 0;
    if (missing) result_add_cut(run->result, CUT_CONSTRUCT, missing);
    again = query(run, true);
    if (again) query(run, false);
    // A finding that was settled after the cut was met may have been about the same.
    again = again && run->told > told && !run->outdated && run->result->reason.length == 0;
  }
}

// The share of the time limit that the search may use. Solvers and decision diagrams do not stop at once.
static const double search_share = 0.93;

static Result *circuit_run(Context *context) {
  Budget search = budget_share(context->budget, search_share);
  if (context->ltl) return liveness_run(context, &search);
  Run run = {.context = context, .budget = &search, .result = result_new(context->property, context->account)};
  CircuitOptions options = circuit_options(context->options);
  run.method = options.method;
  text_init(&run.reason, context->account);
  do {
    run.outdated = false;
    const char *flaw = circuit_model_init(&run.model, context->program, context->property, BLOCK_LARGE,
                                          options.scheduling, options.symmetry, &search, context->account);
    if (flaw)
      result_unknown_for(run.result, reason_of_stop(search.reason), "%s", flaw);
    else
      run_method(&run);
    circuit_model_free(&run.model);
  } while (run.outdated);
  result_count(run.result, "violations_told", (double)run.told);
  text_free(&run.reason);
  return run.result;
}

// Circuits grow with threads and pointers, and know no floating-point numbers.
static unsigned circuit_begins(const Features *features) {
  bool large = features->floating_point || features->unbounded || features->dereferences > 200;
  return large ? BEGINS_LAST + 1 : BEGINS_LAST;
}

const Engine circuit_engine = {
    .name = "circuit",
    .summary = "the program as a sequential circuit: SAT, decision diagrams, PDR",
    .properties = 1u << PROPERTY_UNREACH_CALL | 1u << PROPERTY_NO_DATA_RACE | 1u << PROPERTY_NO_DEADLOCK |
                  1u << PROPERTY_VALID_MEMSAFETY | 1u << PROPERTY_NO_DIVISION_BY_ZERO | 1u << PROPERTY_NO_OVERFLOW |
                  1u << PROPERTY_VALID_MEMCLEANUP | 1u << PROPERTY_VALID_MEMTRACK | 1u << PROPERTY_LTL,
    .reads = "schedule method symmetry",
    .tries_again = 1u << PROPERTY_VALID_MEMTRACK,
    .accepts = circuit_accepts,
    .most_edges = MOST_JOINT_EDGES,
    .begins = circuit_begins,
    .run = circuit_run};
