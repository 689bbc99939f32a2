#include "circuit/methods/depth_search.h"

enum { FIRST_CONFLICT_LIMIT = 20000, MOST_CONFLICTS = 1 << 29 };

void depth_search_init(DepthSearch *s, Question *question, const DepthOperations *operations, void *context) {
  *s = (DepthSearch){
      .operations = operations, .context = context, .question = question, .conflict_limit = FIRST_CONFLICT_LIMIT};
  unrolling_init(&s->unrolling, question->circuit, true, question->account);
  if (operations->goal_again && question->tell) unrolling_keep_from(&s->unrolling, 0);
  aig_sat_init(&s->sat, &s->unrolling.aig, question->budget, question->account);
  aig_sat_search_only(&s->sat);
  least_steps_init(&s->least_steps, question->circuit, question->account);
  U32Vector_init(&s->goals, question->account);
}

void depth_search_free(DepthSearch *s) {
  U32Vector_free(&s->goals);
  least_steps_free(&s->least_steps);
  aig_sat_free(&s->sat);
  unrolling_free(&s->unrolling);
}

static void add_frame(DepthSearch *s) {
  unrolling_add_frame(&s->unrolling);
  least_steps_assert(&s->least_steps, &s->unrolling, &s->sat);
  U32Vector_push(&s->goals, s->operations->add_goal(s, s->context));
  assert(s->goals.count == s->unrolling.frames);
}

// Keeps the model's trace to the first goal.
static void keep_trace(DepthSearch *s) {
  const Circuit *c = s->question->circuit;
  uint32_t frame = s->closed_frames;
  while (frame + 1 < s->unrolling.frames && !aig_sat_value(&s->sat, s->goals.data[frame])) frame++;
  uint32_t steps = s->operations->count_steps(s, s->context, frame);
  assert(steps <= s->unrolling.frames);
  for (uint32_t step = 0; step < steps; step++) {
    uint8_t *inputs = circuit_trace_add(s->question->trace, c);
    for (size_t i = 0; i < c->inputs.count; i++)
      inputs[i] = aig_sat_value(&s->sat, s->unrolling.inputs.data[step * c->inputs.count + i]);
  }
}

static void close_frames(DepthSearch *s) {
  for (; s->closed_frames < s->unrolling.frames; s->closed_frames++) {
    aig_sat_assert(&s->sat, aig_not(s->goals.data[s->closed_frames]));
    if (s->operations->close_frame) s->operations->close_frame(s, s->context, s->closed_frames);
  }
  if (s->unrolling.keeps) unrolling_keep_from(&s->unrolling, s->closed_frames);
}

// The goal holds in an open frame. Makes the frames' literals known to the solver, so that their values can be read.
static AigLiteral any_goal(DepthSearch *s) {
  AigLiteral any = AIG_FALSE;
  for (uint32_t frame = s->closed_frames; frame < s->unrolling.frames; frame++) {
    AigLiteral goal = s->goals.data[frame];
    any = aig_or(&s->unrolling.aig, any, goal);
    if (!aig_is_constant(goal)) aig_sat_define(&s->sat, goal);
    if (s->operations->define_frame) s->operations->define_frame(s, s->context, frame);
  }
  return any;
}

static SolverAnswer check(DepthSearch *s, AigLiteral assumption) {
  aig_sat_limit_conflicts(&s->sat, s->conflict_limit);
  return aig_sat_check(&s->sat, &assumption, assumption == AIG_TRUE ? 0 : 1);
}

// A goal was found, and its trace is kept. True: it was told, and the open frames have the goals that are left.
static bool goes_on(DepthSearch *s) {
  if (!s->operations->goal_again || !question_tell(s->question)) return false;
  for (uint32_t frame = s->closed_frames; frame < s->unrolling.frames; frame++)
    s->goals.data[frame] = s->operations->goal_again(s, frame);
  return s->again = true;
}

// Searches the open frames. METHOD_UNKNOWN: there is more to search, or the budget is exhausted.
static MethodAnswer search_open_frames(DepthSearch *s) {
  AigLiteral any = any_goal(s);
  SolverAnswer answer = any == AIG_FALSE ? SOLVER_UNSAT : check(s, any);
  if (answer == SOLVER_SAT) {
    keep_trace(s);
    return goes_on(s) ? METHOD_UNKNOWN : METHOD_REACHED;
  }
  if (answer == SOLVER_UNKNOWN) {
    if (s->conflict_limit < MOST_CONFLICTS) s->conflict_limit *= 2;
    return METHOD_UNKNOWN;
  }
  if (s->ended || !(any == AIG_FALSE || aig_sat_blames(&s->sat, any))) return METHOD_UNREACHABLE;
  close_frames(s);
  return check(s, AIG_TRUE) == SOLVER_UNSAT ? METHOD_UNREACHABLE : METHOD_UNKNOWN;
}

static bool is_exhausted(const DepthSearch *s) {
  return budget_exhausted(s->question->budget, s->operations->stop_point);
}

MethodAnswer depth_search_run(DepthSearch *s) {
  MethodAnswer answer = METHOD_UNKNOWN;
  while (answer == METHOD_UNKNOWN && !is_exhausted(s)) {
    uint32_t more = s->again ? 0 : 1 + s->unrolling.frames / 4;
    s->again = false;
    for (uint32_t i = 0; i < more && !s->ended && !is_exhausted(s); i++) add_frame(s);
    log_progress(s->question->log, "bmc: depth %u, %u of them open, %zu gates", (unsigned)s->unrolling.frames,
                 (unsigned)(s->unrolling.frames - s->closed_frames), s->unrolling.aig.gate_count);
    answer = search_open_frames(s);
  }
  return answer;
}

void depth_search_report(const DepthSearch *s, MethodAnswer answer, uint32_t depth) {
  const Question *question = s->question;
  if (answer == METHOD_UNKNOWN) text_add(question->reason, stop_reason_text(question->budget->reason));
  result_count(question->result, "depth", depth);
  result_count(question->result, "unrolled_gates", (double)s->unrolling.aig.gate_count);
}
