// Lassos by a solver, with growing depth (after Latvala, Biere, Heljanko, Junttila, "Simple bounded LTL model checking", FMCAD
// 2004, whose encoding is linear in the depth).
//
// One state is guessed: the state at which the loop closes. The loop begins before the first frame with this state. It is
// closed before each later frame with this state if each justice held in a step in between. An earlier visit of the state only
// makes the loop longer. In an infinite execution `always` holds in every frame, so it is asserted in the frames behind the loop,
// too. If that is not satisfiable, there is no execution of this length.
//
// Frames are added in batches. The solver is asked whether the loop is closed in one of the open frames. If it gives up, they
// stay open, and the next query is about them and the next batch. Clauses say that two threads cannot both have got far, as for
// reachability (model/least_steps.h). This holds with and without idle steps.
#include "circuit/methods/lasso_method.h"
#include "circuit/model/least_steps.h"

typedef struct LassoSearch {
  LassoQuestion *question;
  Unrolling unrolling;
  AigSat sat;
  LeastSteps least_steps;
  U32Vector guessed;       // per latch: its value in the state at which the loop closes
  U32Vector at_guessed;    // per frame: the state before it is the guessed one
  U32Vector closed;        // per frame: the same, and a loop with all justice ends there
  U32Vector seen;          // per justice: it held in a step of the loop so far
  AigLiteral inside;       // the loop has begun
  uint32_t refuted_frames; // no loop is closed in the first frames, up to this number; the others are open
  int conflict_limit;      // of the next query
} LassoSearch;

enum { FIRST_CONFLICT_LIMIT = 20000, MOST_CONFLICTS = 1 << 29 };

// The state before the last frame is the guessed one.
static AigLiteral state_is_guessed(LassoSearch *s) {
  size_t latches = s->question->circuit->latches.count;
  const AigLiteral *now = s->unrolling.latches.data + (s->unrolling.frames - 1) * latches;
  U32Vector equal;
  U32Vector_init(&equal, s->question->account);
  for (size_t i = 0; i < latches; i++) U32Vector_push(&equal, aig_equal(&s->unrolling.aig, now[i], s->guessed.data[i]));
  AigLiteral all = aig_and_all(&s->unrolling.aig, equal.data, equal.count);
  U32Vector_free(&equal);
  return all;
}

static void add_frame(LassoSearch *s) {
  Aig *aig = &s->unrolling.aig;
  unrolling_add_frame(&s->unrolling);
  least_steps_assert(&s->least_steps, &s->unrolling, &s->sat);
  AigLiteral at_guessed = state_is_guessed(s), closed = aig_and(aig, at_guessed, s->inside);
  for (size_t i = 0; i < s->seen.count; i++) closed = aig_and(aig, closed, s->seen.data[i]);
  U32Vector_push(&s->at_guessed, at_guessed);
  U32Vector_push(&s->closed, closed);
  s->inside = aig_or(aig, s->inside, at_guessed);
  for (size_t i = 0; i < s->seen.count; i++) {
    AigLiteral just = unrolling_literal(&s->unrolling, s->question->justice.data[i]);
    s->seen.data[i] = aig_or(aig, s->seen.data[i], aig_and(aig, s->inside, just));
  }
  aig_sat_assert(&s->sat, unrolling_literal(&s->unrolling, s->question->always));
}

// Keeps the model's lasso with the first loop that is closed.
static void keep_trace(LassoSearch *s) {
  LassoQuestion *question = s->question;
  const Circuit *c = question->circuit;
  uint32_t begin = 0, end = s->refuted_frames;
  while (!aig_sat_value(&s->sat, s->at_guessed.data[begin])) begin++;
  while (!aig_sat_value(&s->sat, s->closed.data[end])) end++;
  for (uint32_t step = 0; step < end; step++) {
    uint8_t *inputs = circuit_trace_add(question->trace, c);
    for (size_t i = 0; i < c->inputs.count; i++)
      inputs[i] = aig_sat_value(&s->sat, s->unrolling.inputs.data[step * c->inputs.count + i]);
  }
  question->loop_start = begin;
  assert(lasso_is_valid(question));
}

// The loop is closed in an open frame. Makes the literals that keep_trace reads known to the solver.
static AigLiteral any_closed(LassoSearch *s) {
  AigLiteral any = AIG_FALSE;
  for (uint32_t frame = s->refuted_frames; frame < s->unrolling.frames; frame++) {
    any = aig_or(&s->unrolling.aig, any, s->closed.data[frame]);
    const AigLiteral defined[] = {s->closed.data[frame], s->at_guessed.data[frame]};
    for (size_t i = 0; i < 2; i++)
      if (!aig_is_constant(defined[i])) aig_sat_define(&s->sat, defined[i]);
  }
  return any;
}

static void refute_frames(LassoSearch *s) {
  for (; s->refuted_frames < s->unrolling.frames; s->refuted_frames++)
    aig_sat_assert(&s->sat, aig_not(s->closed.data[s->refuted_frames]));
}

static SolverAnswer check(LassoSearch *s, AigLiteral assumption) {
  aig_sat_limit_conflicts(&s->sat, s->conflict_limit);
  return aig_sat_check(&s->sat, &assumption, assumption == AIG_TRUE ? 0 : 1);
}

// Searches the open frames. METHOD_UNKNOWN: there is more to search, or the budget is exhausted.
static MethodAnswer search_open_frames(LassoSearch *s) {
  AigLiteral any = any_closed(s);
  SolverAnswer answer = any == AIG_FALSE ? SOLVER_UNSAT : check(s, any);
  if (answer == SOLVER_SAT) {
    keep_trace(s);
    return METHOD_REACHED;
  }
  if (answer == SOLVER_UNKNOWN) {
    if (s->conflict_limit < MOST_CONFLICTS) s->conflict_limit *= 2;
    return METHOD_UNKNOWN;
  }
  if (any != AIG_FALSE && !aig_sat_blames(&s->sat, any)) return METHOD_UNREACHABLE;
  refute_frames(s);
  return check(s, AIG_TRUE) == SOLVER_UNSAT ? METHOD_UNREACHABLE : METHOD_UNKNOWN;
}

static MethodAnswer search_deeper(LassoSearch *s) {
  uint32_t more = 1 + s->unrolling.frames / 4;
  for (uint32_t i = 0; i < more && !budget_exhausted(s->question->budget, "circuit-lasso-bmc"); i++) add_frame(s);
  log_progress(s->question->log, "bmc: depth %u, %u of them open, %zu gates", (unsigned)s->unrolling.frames,
               (unsigned)(s->unrolling.frames - s->refuted_frames), s->unrolling.aig.gate_count);
  return search_open_frames(s);
}

static void search_init(LassoSearch *s, LassoQuestion *question) {
  *s = (LassoSearch){.question = question, .inside = AIG_FALSE, .conflict_limit = FIRST_CONFLICT_LIMIT};
  unrolling_init(&s->unrolling, question->circuit, true, question->account);
  unrolling_keep_idle_steps(&s->unrolling);
  aig_sat_init(&s->sat, &s->unrolling.aig, question->budget, question->account);
  aig_sat_search_only(&s->sat);
  least_steps_init(&s->least_steps, question->circuit, question->account);
  U32Vector_init(&s->guessed, question->account);
  U32Vector_init(&s->at_guessed, question->account);
  U32Vector_init(&s->closed, question->account);
  U32Vector_init(&s->seen, question->account);
  U32Vector_resize(&s->seen, question->justice.count); // all AIG_FALSE
  for (size_t i = 0; i < question->circuit->latches.count; i++)
    U32Vector_push(&s->guessed, aig_input(&s->unrolling.aig));
}

static void search_free(LassoSearch *s) {
  U32Vector_free(&s->seen);
  U32Vector_free(&s->closed);
  U32Vector_free(&s->at_guessed);
  U32Vector_free(&s->guessed);
  least_steps_free(&s->least_steps);
  aig_sat_free(&s->sat);
  unrolling_free(&s->unrolling);
}

static MethodAnswer lasso_sat_run(LassoQuestion *question) {
  LassoSearch s;
  search_init(&s, question);
  MethodAnswer answer = METHOD_UNKNOWN;
  while (answer == METHOD_UNKNOWN && !budget_exhausted(question->budget, "circuit-lasso-bmc"))
    answer = search_deeper(&s);
  // A loop that is closed before a frame consists of the steps of the frames before it.
  uint32_t depth = answer == METHOD_REACHED ? question->trace->steps : s.refuted_frames > 0 ? s.refuted_frames - 1 : 0;
  if (answer == METHOD_UNKNOWN) {
    text_add(question->reason, stop_reason_text(question->budget->reason));
    if (depth > 0) text_format(question->covered, "no lasso of at most %u steps", (unsigned)depth);
  }
  result_count(question->result, "depth", depth);
  result_count(question->result, "unrolled_gates", (double)s.unrolling.aig.gate_count);
  search_free(&s);
  return answer;
}

const LassoMethod lasso_sat = {.name = "bmc", .summary = "loops by SAT, on growing depth", .run = lasso_sat_run};
