// Bounded model checking (paper 002, section 5): one step more at a time, on one solver. A step must be taken; once none can
// be taken any more, everything was looked at.
#include "circuit/method.h"
#include "circuit/unrolling.h"
#include "solver/aig_sat.h"

typedef struct Bmc {
  Question *question;
  Unrolling unrolling;
  AigSat sat;
} Bmc;

static void keep_trace(Bmc *b) {
  const Circuit *c = b->question->circuit;
  for (uint32_t step = 0; step < b->unrolling.frames; step++) {
    uint8_t *inputs = circuit_trace_add(b->question->trace, c);
    for (size_t i = 0; i < c->inputs.count; i++)
      inputs[i] = aig_sat_input(&b->sat, b->unrolling.inputs.data[step * c->inputs.count + i]);
  }
}

// Looks at the next depth. METHOD_UNKNOWN: nothing bad there, and there are steps to follow, or the budget is exhausted.
static MethodAnswer look_deeper(Bmc *b) {
  const Circuit *c = b->question->circuit;
  unrolling_add_frame(&b->unrolling);
  AigLiteral bad = unrolling_literal(&b->unrolling, b->question->bad);
  SolverAnswer answer = bad == AIG_FALSE ? SOLVER_UNSAT : aig_sat_check(&b->sat, &bad, 1);
  if (answer == SOLVER_UNKNOWN) return METHOD_UNKNOWN;
  if (answer == SOLVER_SAT) {
    keep_trace(b);
    return METHOD_REACHED;
  }
  aig_sat_assert(&b->sat, aig_not(bad));
  AigLiteral moves = unrolling_literal(&b->unrolling, c->moves);
  aig_sat_assert(&b->sat, moves);
  answer = moves == AIG_FALSE ? SOLVER_UNSAT : aig_sat_check(&b->sat, NULL, 0);
  return answer == SOLVER_UNSAT ? METHOD_UNREACHABLE : METHOD_UNKNOWN;
}

static MethodAnswer bmc_run(Question *question) {
  Bmc b = {.question = question};
  unrolling_init(&b.unrolling, question->circuit, true, question->account);
  aig_sat_init(&b.sat, &b.unrolling.aig, question->budget, question->account);
  MethodAnswer answer = METHOD_UNKNOWN;
  while (answer == METHOD_UNKNOWN && !budget_exhausted(question->budget, "circuit-bmc")) {
    log_progress(question->log, "bmc: depth %u, %zu gates", b.unrolling.frames, b.unrolling.aig.gate_count);
    answer = look_deeper(&b);
  }
  if (answer == METHOD_UNKNOWN) {
    text_add(question->reason, stop_reason_text(question->budget->reason));
    if (b.unrolling.frames > 1)
      text_format(question->covered, "no violation within %u steps", (unsigned)b.unrolling.frames - 1);
  }
  result_count(question->result, "depth", b.unrolling.frames);
  result_count(question->result, "unrolled_gates", (double)b.unrolling.aig.gate_count);
  aig_sat_free(&b.sat);
  unrolling_free(&b.unrolling);
  return answer;
}

const Method method_bmc = {.name = "bmc", .summary = "bounded model checking by SAT", .run = bmc_run};
