// Lassos by a solver, on growing depth (after Latvala, Biere, Heljanko, Junttila, "Simple bounded LTL model checking", FMCAD
// 2004, whose encoding is linear in the depth).
//
// One state is guessed: where the loop closes. The loop begins in the first frame with this state, and it is closed in every
// later one with it, if each justice held in a step in between. An earlier visit of the state only makes the loop longer. In
// an infinite execution `always` holds in every frame, so it is asserted beyond the loop, too: if it cannot be, there is no
// execution of this length.
//
// Frames are added in batches, and the question is whether the loop is closed in one of those that are open. If the solver
// gives up, they stay open and are asked about again together with the next ones. That two threads cannot both have got far
// is told to the solver, as for reachability (progress.h); it is so whether or not steps are idle.
#include "circuit/methods/lasso_method.h"
#include "circuit/model/least_steps.h"

typedef struct LassoSearch {
  LassoQuestion *question;
  Unrolling unrolling;
  AigSat sat;
  Progress progress;
  U32Vector guessed; // per latch: its value where the loop closes
  U32Vector there;   // per frame: the state before it is the guessed one
  U32Vector closed;  // per frame: so it is, and a loop with all justice ends there
  U32Vector seen;    // per justice: it held in a step of the loop so far
  AigLiteral inside; // the loop has begun
  uint32_t settled;  // no loop is closed in so many frames
  int patience;      // conflicts
} LassoSearch;

enum { FIRST_PATIENCE = 20000, MOST_PATIENCE = 1 << 29 };

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
  progress_assert(&s->progress, &s->unrolling, &s->sat);
  AigLiteral there = state_is_guessed(s), closed = aig_and(aig, there, s->inside);
  for (size_t i = 0; i < s->seen.count; i++) closed = aig_and(aig, closed, s->seen.data[i]);
  U32Vector_push(&s->there, there);
  U32Vector_push(&s->closed, closed);
  s->inside = aig_or(aig, s->inside, there);
  for (size_t i = 0; i < s->seen.count; i++) {
    AigLiteral just = unrolling_literal(&s->unrolling, s->question->justice.data[i]);
    s->seen.data[i] = aig_or(aig, s->seen.data[i], aig_and(aig, s->inside, just));
  }
  aig_sat_assert(&s->sat, unrolling_literal(&s->unrolling, s->question->always));
}

// The first loop of the model that is closed.
static void keep_trace(LassoSearch *s) {
  LassoQuestion *question = s->question;
  const Circuit *c = question->circuit;
  uint32_t begin = 0, end = s->settled;
  while (!aig_sat_value(&s->sat, s->there.data[begin])) begin++;
  while (!aig_sat_value(&s->sat, s->closed.data[end])) end++;
  for (uint32_t step = 0; step < end; step++) {
    uint8_t *inputs = circuit_trace_add(question->trace, c);
    for (size_t i = 0; i < c->inputs.count; i++)
      inputs[i] = aig_sat_value(&s->sat, s->unrolling.inputs.data[step * c->inputs.count + i]);
  }
  question->loop_start = begin;
  assert(lasso_is_one(question));
}

// The loop is closed in an open frame. What the trace is read from is made known to the solver.
static AigLiteral any_closed(LassoSearch *s) {
  AigLiteral any = AIG_FALSE;
  for (uint32_t frame = s->settled; frame < s->unrolling.frames; frame++) {
    any = aig_or(&s->unrolling.aig, any, s->closed.data[frame]);
    const AigLiteral defined[] = {s->closed.data[frame], s->there.data[frame]};
    for (size_t i = 0; i < 2; i++)
      if (!aig_is_constant(defined[i])) aig_sat_define(&s->sat, defined[i]);
  }
  return any;
}

static void settle_frames(LassoSearch *s) {
  for (; s->settled < s->unrolling.frames; s->settled++) aig_sat_assert(&s->sat, aig_not(s->closed.data[s->settled]));
}

static SolverAnswer ask(LassoSearch *s, AigLiteral assumption) {
  aig_sat_limit_conflicts(&s->sat, s->patience);
  return aig_sat_check(&s->sat, &assumption, assumption == AIG_TRUE ? 0 : 1);
}

// Looks at the open frames. METHOD_UNKNOWN: there is more to look at, or the budget is exhausted.
static MethodAnswer look(LassoSearch *s) {
  AigLiteral any = any_closed(s);
  SolverAnswer answer = any == AIG_FALSE ? SOLVER_UNSAT : ask(s, any);
  if (answer == SOLVER_SAT) {
    keep_trace(s);
    return METHOD_REACHED;
  }
  if (answer == SOLVER_UNKNOWN) {
    if (s->patience < MOST_PATIENCE) s->patience *= 2;
    return METHOD_UNKNOWN;
  }
  if (any != AIG_FALSE && !aig_sat_blames(&s->sat, any)) return METHOD_UNREACHABLE;
  settle_frames(s);
  return ask(s, AIG_TRUE) == SOLVER_UNSAT ? METHOD_UNREACHABLE : METHOD_UNKNOWN;
}

static MethodAnswer look_deeper(LassoSearch *s) {
  uint32_t more = 1 + s->unrolling.frames / 4;
  for (uint32_t i = 0; i < more && !budget_exhausted(s->question->budget, "circuit-lasso-bmc"); i++) add_frame(s);
  log_progress(s->question->log, "bmc: depth %u, %u of them open, %zu gates", (unsigned)s->unrolling.frames,
               (unsigned)(s->unrolling.frames - s->settled), s->unrolling.aig.gate_count);
  return look(s);
}

static void search_init(LassoSearch *s, LassoQuestion *question) {
  *s = (LassoSearch){.question = question, .inside = AIG_FALSE, .patience = FIRST_PATIENCE};
  unrolling_init(&s->unrolling, question->circuit, true, question->account);
  unrolling_keep_idle_steps(&s->unrolling);
  aig_sat_init(&s->sat, &s->unrolling.aig, question->budget, question->account);
  aig_sat_search_only(&s->sat);
  progress_init(&s->progress, question->circuit, question->account);
  U32Vector_init(&s->guessed, question->account);
  U32Vector_init(&s->there, question->account);
  U32Vector_init(&s->closed, question->account);
  U32Vector_init(&s->seen, question->account);
  U32Vector_resize(&s->seen, question->justice.count); // all AIG_FALSE
  for (size_t i = 0; i < question->circuit->latches.count; i++)
    U32Vector_push(&s->guessed, aig_input(&s->unrolling.aig));
}

static void search_free(LassoSearch *s) {
  U32Vector_free(&s->seen);
  U32Vector_free(&s->closed);
  U32Vector_free(&s->there);
  U32Vector_free(&s->guessed);
  progress_free(&s->progress);
  aig_sat_free(&s->sat);
  unrolling_free(&s->unrolling);
}

static MethodAnswer lasso_sat_run(LassoQuestion *question) {
  LassoSearch s;
  search_init(&s, question);
  MethodAnswer answer = METHOD_UNKNOWN;
  while (answer == METHOD_UNKNOWN && !budget_exhausted(question->budget, "circuit-lasso-bmc")) answer = look_deeper(&s);
  // A loop that is closed before a frame takes the steps of those before it.
  uint32_t depth = answer == METHOD_REACHED ? question->trace->steps : s.settled > 0 ? s.settled - 1 : 0;
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
