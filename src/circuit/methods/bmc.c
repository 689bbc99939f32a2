// Bounded model checking (paper 002, section 5), on one solver.
//
// Frames are added in batches. The solver is asked whether something bad happens in one of the open frames. If not, they are
// closed: an execution that is still to be found takes a step in each closed frame and none of them is bad. If there is no such
// execution, all executions were searched.
// The solver gives up on a query after a number of conflicts. Then the frames stay open, and the next query is about them and
// about the next batch: an execution to something bad is often found sooner than it is shown that there is no shorter one.
#include "circuit/methods/method.h"
#include "circuit/model/least_steps.h"

typedef struct Bmc {
  Question *question;
  Unrolling unrolling;
  AigSat sat;
  LeastSteps least_steps;
  U32Vector bad, moves; // per open frame; the open frames are the last ones
  bool ended;           // no thread can move in the last frame
  int conflict_limit;   // of the next query
} Bmc;

enum { FIRST_CONFLICT_LIMIT = 20000, MOST_CONFLICTS = 1 << 29 };

static uint32_t closed_frames(const Bmc *b) {
  assert(b->bad.count == b->moves.count && b->bad.count <= b->unrolling.frames);
  return b->unrolling.frames - (uint32_t)b->bad.count;
}

// Keeps the model's trace to the first bad frame.
static void keep_trace(Bmc *b) {
  const Circuit *c = b->question->circuit;
  uint32_t steps = closed_frames(b) + 1;
  for (size_t i = 0; i + 1 < b->bad.count && !aig_sat_value(&b->sat, b->bad.data[i]); i++) steps++;
  for (uint32_t step = 0; step < steps; step++) {
    uint8_t *inputs = circuit_trace_add(b->question->trace, c);
    for (size_t i = 0; i < c->inputs.count; i++)
      inputs[i] = aig_sat_value(&b->sat, b->unrolling.inputs.data[step * c->inputs.count + i]);
  }
}

// If no thread moves in a step, none moves in the next step: it is the same state. A clause says so.
static void add_frame(Bmc *b) {
  unrolling_add_frame(&b->unrolling);
  least_steps_assert(&b->least_steps, &b->unrolling, &b->sat);
  AigLiteral bad = unrolling_literal(&b->unrolling, b->question->bad);
  AigLiteral moves = unrolling_literal(&b->unrolling, b->question->circuit->moves);
  if (b->moves.count > 0) {
    AigLiteral clause[2] = {aig_not(moves), *U32Vector_last(&b->moves)};
    aig_sat_assert_clause(&b->sat, clause, 2);
  }
  U32Vector_push(&b->bad, bad);
  U32Vector_push(&b->moves, moves);
  b->ended = moves == AIG_FALSE;
}

static void close_frames(Bmc *b) {
  for (size_t i = 0; i < b->bad.count; i++) {
    aig_sat_assert(&b->sat, aig_not(b->bad.data[i]));
    aig_sat_assert(&b->sat, b->moves.data[i]);
  }
  U32Vector_clear(&b->bad);
  U32Vector_clear(&b->moves);
}

// Something bad happens in an open frame. Makes the frames' literals known to the solver, so that their values can be read.
static AigLiteral any_bad(Bmc *b) {
  AigLiteral any = AIG_FALSE;
  for (size_t i = 0; i < b->bad.count; i++) {
    any = aig_or(&b->unrolling.aig, any, b->bad.data[i]);
    if (!aig_is_constant(b->bad.data[i])) aig_sat_define(&b->sat, b->bad.data[i]);
  }
  return any;
}

static SolverAnswer check(Bmc *b, AigLiteral assumption) {
  aig_sat_limit_conflicts(&b->sat, b->conflict_limit);
  return aig_sat_check(&b->sat, &assumption, assumption == AIG_TRUE ? 0 : 1);
}

// Searches the open frames. METHOD_UNKNOWN: there is more to search, or the budget is exhausted.
static MethodAnswer search_open_frames(Bmc *b) {
  AigLiteral any = any_bad(b);
  SolverAnswer answer = any == AIG_FALSE ? SOLVER_UNSAT : check(b, any);
  if (answer == SOLVER_SAT) {
    keep_trace(b);
    return METHOD_REACHED;
  }
  if (answer == SOLVER_UNKNOWN) {
    if (b->conflict_limit < MOST_CONFLICTS) b->conflict_limit *= 2;
    return METHOD_UNKNOWN;
  }
  if (b->ended || !(any == AIG_FALSE || aig_sat_blames(&b->sat, any))) return METHOD_UNREACHABLE;
  close_frames(b);
  return check(b, AIG_TRUE) == SOLVER_UNSAT ? METHOD_UNREACHABLE : METHOD_UNKNOWN;
}

static MethodAnswer search_deeper(Bmc *b) {
  uint32_t more = 1 + b->unrolling.frames / 4;
  for (uint32_t i = 0; i < more && !b->ended && !budget_exhausted(b->question->budget, "circuit-bmc"); i++)
    add_frame(b);
  log_progress(b->question->log, "bmc: depth %u, %u of them open, %zu gates", (unsigned)b->unrolling.frames,
               (unsigned)b->bad.count, b->unrolling.aig.gate_count);
  return search_open_frames(b);
}

static MethodAnswer bmc_run(Question *question) {
  Bmc b = {.question = question, .conflict_limit = FIRST_CONFLICT_LIMIT};
  unrolling_init(&b.unrolling, question->circuit, true, question->account);
  aig_sat_init(&b.sat, &b.unrolling.aig, question->budget, question->account);
  aig_sat_search_only(&b.sat);
  least_steps_init(&b.least_steps, question->circuit, question->account);
  U32Vector_init(&b.bad, question->account);
  U32Vector_init(&b.moves, question->account);
  MethodAnswer answer = METHOD_UNKNOWN;
  while (answer == METHOD_UNKNOWN && !budget_exhausted(question->budget, "circuit-bmc")) answer = search_deeper(&b);
  uint32_t depth = answer == METHOD_REACHED ? question->trace->steps : closed_frames(&b);
  if (answer == METHOD_UNKNOWN) {
    text_add(question->reason, stop_reason_text(question->budget->reason));
    if (depth > 0) text_format(question->covered, "no violation within %u steps", (unsigned)depth);
  }
  result_count(question->result, "depth", depth);
  result_count(question->result, "unrolled_gates", (double)b.unrolling.aig.gate_count);
  U32Vector_free(&b.moves);
  U32Vector_free(&b.bad);
  least_steps_free(&b.least_steps);
  aig_sat_free(&b.sat);
  unrolling_free(&b.unrolling);
  return answer;
}

const Method method_bmc = {.name = "bmc", .summary = "bounded model checking by SAT", .run = bmc_run};
