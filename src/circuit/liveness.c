#include "circuit/liveness.h"

#include "circuit/build.h"
#include "circuit/simulation.h"

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
  const char *flaw = circuit_model_init(&m->model, program, PROPERTY_LTL, size, scheduling, budget, account);
  if (flaw) return flaw;
  monitor_init(&m->monitor, &m->model.circuit, ltl, account);
  m->monitored = true;
  return NULL;
}

void liveness_model_free(LivenessModel *m) {
  if (m->monitored) monitor_free(&m->monitor);
  circuit_model_free(&m->model);
}

// --- methods ---

typedef struct Turn {
  const LassoMethod *method;
  double share; // of the time that is left
} Turn;

static const Turn turns[] = {{&lasso_sat, 0.2}, {&lasso_bdd, 0.4}, {&lasso_pdr, 1}};
enum { TURNS = sizeof turns / sizeof *turns };
static const double FIRST_SLICE = 1, GROWTH = 3; // seconds

// What was covered is a list of what each one says, as far as it says something.
static MethodAnswer run_method(const LassoMethod *method, LassoQuestion *question) {
  Text before;
  text_init(&before, question->account);
  text_add(&before, question->covered->data);
  text_clear(question->covered);
  MethodAnswer answer = method->run(question);
  if (before.length && question->covered->length) text_add(&before, "; ");
  text_add(&before, question->covered->data);
  text_clear(question->covered);
  text_add(question->covered, before.data);
  text_free(&before);
  return answer;
}

// Everybody once; a slice is the most that one gets, 0: as much as its share.
static MethodAnswer take_turns(LassoQuestion *question, double slice) {
  text_clear(question->covered);
  for (size_t i = 0; i < TURNS && !budget_exhausted(question->budget, "lasso-auto"); i++) {
    Budget *whole = question->budget, mine = budget_share(whole, turns[i].share);
    double end = clock_now() + slice;
    if (slice > 0 && (whole->deadline <= 0 || end < mine.deadline)) mine.deadline = end;
    question->budget = &mine;
    text_clear(question->reason);
    MethodAnswer answer = run_method(turns[i].method, question);
    question->budget = whole;
    if (answer == METHOD_UNKNOWN) continue;
    log_detail(question->log, "circuit: decided by %s", turns[i].method->name);
    return answer;
  }
  return METHOD_UNKNOWN;
}

// Most questions are easy for one of them: all are tried for a moment first.
static MethodAnswer auto_run(LassoQuestion *question) {
  MethodAnswer answer = take_turns(question, FIRST_SLICE);
  if (answer == METHOD_UNKNOWN && question->budget->deadline > 0) return take_turns(question, 0);
  double slice = FIRST_SLICE * GROWTH;
  for (; answer == METHOD_UNKNOWN && !budget_exhausted(question->budget, "lasso-auto"); slice *= GROWTH)
    answer = take_turns(question, slice);
  return answer;
}

static const LassoMethod lasso_auto = {.name = "auto", .summary = "bmc, bdd and pdr in turn", .run = auto_run};

const LassoMethod *lasso_method_find(const char *name) {
  static const LassoMethod *const methods[] = {&lasso_auto, &lasso_sat, &lasso_bdd, &lasso_pdr, &lasso_induction};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (strcmp(methods[i]->name, name) == 0) return methods[i];
  return NULL;
}

// --- a run ---

typedef struct Run {
  Context *context;
  Budget *budget;
  LivenessModel model;
  Result *result;
  Text reason;
} Run;

// Up to where the literal holds for the first time.
static void shorten_trace(const Circuit *c, CircuitTrace *trace, AigLiteral literal) {
  Simulation s;
  simulation_init(&s, c, trace);
  while (simulation_next(&s) && !simulation_holds(&s, literal)) {}
  trace->steps = s.step;
  simulation_free(&s);
}

static void report_limit(Run *run, CircuitTrace *trace, AigLiteral limit) {
  const Circuit *c = &run->model.model.circuit;
  shorten_trace(c, trace, limit);
  TraceEnd end = circuit_trace_end(c, trace);
  if (end.goal)
    circuit_report_cut(run->result, run->context->program, c, end.goal);
  else
    result_add_cut(run->result, CUT_CONSTRUCT, "the formula looks through a pointer that was not foreseen");
}

// No execution violates the formula, as long as none reaches a limit of the model: a cut, or a pointer of an atom that was
// not foreseen. Whether one does is asked of the same method, with a latch that remembers it.
static void settle_limits(Run *run, LassoQuestion *question) {
  Circuit *c = question->circuit;
  Term unforeseen = run->context->program->unforeseen;
  AigLiteral limit = c->cut;
  if (unforeseen != TERM_NONE) limit = aig_or(&c->aig, limit, circuit_condition(c, unforeseen));
  if (limit == AIG_FALSE) {
    run->result->answer = ANSWER_SAFE;
    return;
  }
  uint32_t met = circuit_add_latch(c, LATCH_FLAG, 0, 0);
  c->latches.data[met].next = aig_or(&c->aig, c->latches.data[met].now, limit);
  question->always = AIG_TRUE;
  U32Vector_clear(&question->justice);
  U32Vector_push(&question->justice, c->latches.data[met].now);
  switch (lasso_method_find(run->context->options->method)->run(question)) {
  case METHOD_UNREACHABLE: run->result->answer = ANSWER_SAFE; break;
  case METHOD_REACHED: report_limit(run, question->trace, limit); break;
  case METHOD_UNKNOWN:
    result_unknown(run->result, "%s; whether the model's limits are reached is not known", run->reason.data);
    break;
  }
}

static void report_lasso(Run *run, const LassoQuestion *question) {
  if (!lasso_is_one(question)) {
    result_unknown(run->result, "internal error: what was found is no lasso");
    return;
  }
  run->result->answer = ANSWER_UNSAFE;
  run->result->schedule = circuit_trace_tell_lasso(question->circuit, question->trace, question->loop_start,
                                                   run->context->program, run->context->property);
}

static void ask(Run *run) {
  const Monitor *monitor = &run->model.monitor;
  CircuitTrace trace;
  circuit_trace_init(&trace, run->context->account);
  LassoQuestion question = {.circuit = monitor->circuit,
                            .always = monitor->always,
                            .budget = run->budget,
                            .log = run->context->log,
                            .account = run->context->account,
                            .trace = &trace,
                            .reason = &run->reason,
                            .covered = &run->result->covered,
                            .result = run->result};
  U32Vector_init(&question.justice, run->context->account);
  for (size_t i = 0; i < monitor->untils.count; i++) U32Vector_push(&question.justice, monitor->untils.data[i]);
  for (size_t i = 0; i < monitor->fairness.count; i++) U32Vector_push(&question.justice, monitor->fairness.data[i]);
  result_count(run->result, "latches", (double)monitor->circuit->latches.count);
  result_count(run->result, "inputs", (double)monitor->circuit->inputs.count);
  result_count(run->result, "and_gates", (double)monitor->circuit->aig.gate_count);
  result_count(run->result, "justice", (double)question.justice.count);
  switch (lasso_method_find(run->context->options->method)->run(&question)) {
  case METHOD_UNREACHABLE: settle_limits(run, &question); break;
  case METHOD_REACHED: report_lasso(run, &question); break;
  case METHOD_UNKNOWN:
    if (run->reason.length == 0) text_add(&run->reason, stop_reason_text(run->budget->reason));
    result_unknown(run->result, "%s", run->reason.data);
    break;
  }
  U32Vector_free(&question.justice);
  circuit_trace_free(&trace);
}

Result *liveness_run(Context *context, Budget *budget) {
  Run run = {.context = context, .budget = budget, .result = result_new(context->property, context->account)};
  text_init(&run.reason, context->account);
  const char *flaw = liveness_model_init(&run.model, context->program, context->ltl,
                                         scheduling_parse(context->options->schedule), budget, context->account);
  if (run.model.restriction) log_note(context->log, "formula: %s", run.model.restriction);
  if (flaw)
    result_unknown(run.result, "%s", flaw);
  else
    ask(&run);
  liveness_model_free(&run.model);
  text_free(&run.reason);
  return run.result;
}
