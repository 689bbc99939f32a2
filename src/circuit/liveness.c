#include "circuit/liveness.h"

#include "circuit/methods/lasso_check.h"
#include "circuit/model/circuit_build.h"
#include "circuit/model/simulation.h"

// --- the model ---

const char *liveness_model_init(LivenessModel *m, Program *program, const LtlProperty *ltl, Scheduling scheduling,
                                Budget *budget, Account *account) {
  *m = (LivenessModel){0};
  bool next = ltl_has_next(&ltl->store, ltl->formula);
  if (next)
    m->restriction = "single steps of all threads, because the formula counts steps (X)";
  else if (ltl->fair && scheduling != SCHEDULE_INTERLEAVED)
    m->restriction = "all threads in every state, because of fairness";
  if (next || ltl->fair) scheduling = SCHEDULE_INTERLEAVED;
  BlockSize size = next ? BLOCK_SECTION : BLOCK_LARGE;
  const char *flaw = circuit_model_init(&m->model, program, PROPERTY_LTL, size, scheduling, false, budget, account);
  if (flaw) return flaw;
  monitor_init(&m->monitor, &m->model.circuit, ltl, account);
  m->monitored = true;
  return NULL;
}

void liveness_model_free(LivenessModel *m) {
  if (m->monitored) monitor_free(&m->monitor);
  circuit_model_free(&m->model);
}

// --- a run ---

typedef struct Run {
  Context *context;
  Budget *budget;
  const Method *method;
  LivenessModel model;
  Result *result;
  Text reason;
} Run;

// Cuts the trace after the first step in which the literal holds.
static void shorten_trace(const Circuit *c, CircuitTrace *trace, AigLiteral literal) {
  Simulation s;
  simulation_init(&s, c, trace);
  while (simulation_next(&s) && !simulation_holds(&s, literal)) {}
  circuit_trace_shorten(trace, c, s.step);
  simulation_free(&s);
}

static void report_limit(Run *run, CircuitTrace *trace, AigLiteral limit) {
  const Circuit *c = &run->model.model.circuit;
  shorten_trace(c, trace, limit);
  TraceEnd end = circuit_trace_end(c, trace);
  if (end.goal)
    circuit_report_cut(run->result, c, end.goal);
  else
    result_add_cut(run->result, CUT_CONSTRUCT, "the formula looks through a pointer that was not foreseen");
}

// No execution of the circuit violates the formula. This is a proof if no execution reaches a limit of the model: a
// cut, or a pointer of an atom that was not foreseen. The same method is asked whether one does, with a latch that
// remembers it.
static void check_limits(Run *run, Question *question) {
  Circuit *c = question->circuit;
  AigLiteral limit = run->model.monitor.limit;
  if (limit == AIG_FALSE) {
    run->result->answer = ANSWER_SAFE;
    return;
  }
  uint32_t met = circuit_add_latch(c, LATCH_FLAG, 0, 0);
  c->latches.data[met].next = aig_or(&c->aig, c->latches.data[met].now, limit);
  question->constraint = AIG_TRUE;
  U32Vector_clear(&question->justice);
  U32Vector_push(&question->justice, c->latches.data[met].now);
  switch (method_answer(run->method, question)) {
  case METHOD_UNREACHABLE: run->result->answer = ANSWER_SAFE; break;
  case METHOD_REACHED: report_limit(run, question->trace, limit); break;
  case METHOD_UNKNOWN:
    result_unknown_for(run->result, circuit_reason(question), "%s; whether the model's limits are reached is not known",
                       run->reason.data);
    break;
  }
}

static void report_lasso(Run *run, const Question *question) {
  if (!lasso_is_valid(question)) {
    result_unknown_for(run->result, REASON_INTERNAL, "internal error: what was found is no lasso");
    return;
  }
  run->result->answer = ANSWER_UNSAFE;
  run->result->schedule = circuit_trace_lasso_schedule(question->circuit, question->trace, question->loop_start,
                                                       run->context->program, run->context->property);
}

static void query(Run *run) {
  const Monitor *monitor = &run->model.monitor;
  CircuitTrace trace;
  circuit_trace_init(&trace, run->context->account);
  Question question =
      circuit_question(QUESTION_LASSO, monitor->circuit, run->context, run->budget, run->result, &trace, &run->reason);
  question.constraint = monitor->constraint;
  U32Vector_init(&question.justice, run->context->account);
  for (size_t i = 0; i < monitor->untils.count; i++) U32Vector_push(&question.justice, monitor->untils.data[i]);
  for (size_t i = 0; i < monitor->fairness.count; i++) U32Vector_push(&question.justice, monitor->fairness.data[i]);
  circuit_report_size(run->result, monitor->circuit);
  result_count(run->result, "justice", (double)question.justice.count);
  switch (method_answer(run->method, &question)) {
  case METHOD_UNREACHABLE: check_limits(run, &question); break;
  case METHOD_REACHED: report_lasso(run, &question); break;
  case METHOD_UNKNOWN: result_unknown_for(run->result, circuit_reason(&question), "%s", run->reason.data); break;
  }
  U32Vector_free(&question.justice);
  circuit_trace_free(&trace);
}

Result *liveness_run(Context *context, Budget *budget) {
  Run run = {.context = context, .budget = budget, .result = result_new(context->property, context->account)};
  CircuitOptions options = circuit_options(context->options);
  run.method = options.method;
  text_init(&run.reason, context->account);
  const char *flaw =
      liveness_model_init(&run.model, context->program, context->ltl, options.scheduling, budget, context->account);
  if (run.model.restriction) log_note(context->log, "formula: %s", run.model.restriction);
  if (flaw)
    result_unknown_for(run.result, reason_of_stop(budget->reason), "%s", flaw);
  else
    query(&run);
  liveness_model_free(&run.model);
  text_free(&run.reason);
  return run.result;
}
