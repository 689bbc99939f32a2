#include "circuit/methods/lasso_check.h"

#include "circuit/model/simulation.h"

// The check of a trace by simulation.
typedef struct LassoCheck {
  const Question *question;
  Simulation simulation;
  ByteVector latches; // their values before the loop
  ByteVector just;    // per justice: it held in the loop
} LassoCheck;

static void enter_loop(LassoCheck *j) {
  const Circuit *c = j->question->circuit;
  for (size_t i = 0; i < c->latches.count; i++)
    ByteVector_push(&j->latches, simulation_holds(&j->simulation, c->latches.data[i].now));
}

// After the last step: are latches as before the loop, and did each justice hold in the loop?
static bool is_closed(const LassoCheck *j) {
  const Circuit *c = j->question->circuit;
  assert(j->latches.count == c->latches.count);
  for (size_t i = 0; i < c->latches.count; i++)
    if (simulation_holds(&j->simulation, c->latches.data[i].next) != j->latches.data[i]) return false;
  for (size_t i = 0; i < j->just.count; i++)
    if (!j->just.data[i]) return false;
  return true;
}

static bool check_steps(LassoCheck *j) {
  const Question *question = j->question;
  for (uint32_t step = 0; simulation_next(&j->simulation); step++) {
    if (!simulation_holds(&j->simulation, question->constraint)) return false;
    if (step == question->loop_start) enter_loop(j);
    if (step < question->loop_start) continue;
    for (size_t i = 0; i < j->just.count; i++)
      j->just.data[i] |= simulation_holds(&j->simulation, question->justice.data[i]);
  }
  return is_closed(j);
}

bool lasso_is_valid(const Question *question) {
  const CircuitTrace *trace = question->trace;
  if (question->loop_start >= trace->steps) return false;
  if (trace->inputs.count != trace->steps * question->circuit->inputs.count) return false;
  LassoCheck j = {.question = question};
  simulation_init(&j.simulation, question->circuit, trace);
  ByteVector_init(&j.latches, question->account);
  ByteVector_init(&j.just, question->account);
  ByteVector_resize(&j.just, question->justice.count);
  bool is_valid = check_steps(&j);
  ByteVector_free(&j.just);
  ByteVector_free(&j.latches);
  simulation_free(&j.simulation);
  return is_valid;
}
