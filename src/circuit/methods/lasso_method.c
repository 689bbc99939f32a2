#include "circuit/methods/lasso_method.h"

#include "circuit/model/simulation.h"

// What is seen of a trace while it is simulated.
typedef struct Judging {
  const LassoQuestion *question;
  Simulation simulation;
  ByteVector latches; // before the loop
  ByteVector just;    // per justice: it held in the loop
} Judging;

static void enter_loop(Judging *j) {
  const Circuit *c = j->question->circuit;
  for (size_t i = 0; i < c->latches.count; i++)
    ByteVector_push(&j->latches, simulation_holds(&j->simulation, c->latches.data[i].now));
}

// After the last step.
static bool closes(const Judging *j) {
  const Circuit *c = j->question->circuit;
  for (size_t i = 0; i < c->latches.count; i++)
    if (simulation_holds(&j->simulation, c->latches.data[i].next) != j->latches.data[i]) return false;
  for (size_t i = 0; i < j->just.count; i++)
    if (!j->just.data[i]) return false;
  return true;
}

static bool judge(Judging *j) {
  const LassoQuestion *question = j->question;
  for (uint32_t step = 0; simulation_next(&j->simulation); step++) {
    if (!simulation_holds(&j->simulation, question->always)) return false;
    if (step == question->loop_start) enter_loop(j);
    if (step < question->loop_start) continue;
    for (size_t i = 0; i < j->just.count; i++)
      j->just.data[i] |= simulation_holds(&j->simulation, question->justice.data[i]);
  }
  return closes(j);
}

bool lasso_is_one(const LassoQuestion *question) {
  const CircuitTrace *trace = question->trace;
  if (question->loop_start >= trace->steps) return false;
  if (trace->inputs.count != trace->steps * question->circuit->inputs.count) return false;
  Judging j = {.question = question};
  simulation_init(&j.simulation, question->circuit, trace);
  ByteVector_init(&j.latches, question->account);
  ByteVector_init(&j.just, question->account);
  ByteVector_resize(&j.just, question->justice.count);
  bool is_one = judge(&j);
  ByteVector_free(&j.just);
  ByteVector_free(&j.latches);
  simulation_free(&j.simulation);
  return is_one;
}
