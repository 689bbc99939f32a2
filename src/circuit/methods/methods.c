#include "circuit/methods/method.h"

const Method method_auto = {.name = "auto", .reach = auto_answer, .lasso = auto_answer};
const Method method_bmc = {.name = "bmc", .reach = bmc_reach, .lasso = bmc_lasso};
const Method method_bdd = {.name = "bdd", .reach = bdd_reach, .lasso = bdd_lasso};
const Method method_induction = {.name = "induction", .reach = induction_reach, .lasso = induction_lasso};
const Method method_pdr = {.name = "pdr", .reach = pdr_reach, .lasso = pdr_lasso};

const Method *const circuit_methods[] = {
    &method_auto, &method_bmc, &method_bdd, &method_induction, &method_pdr, NULL,
};

const Method *method_find(const char *name) {
  assert(name);
  for (size_t i = 0; circuit_methods[i]; i++)
    if (strcmp(circuit_methods[i]->name, name) == 0) return circuit_methods[i];
  return NULL;
}

MethodAnswer method_answer(const Method *method, Question *question) {
  assert(question->trace->steps == 0);
  MethodAnswer answer = question->kind == QUESTION_REACH ? method->reach(question) : method->lasso(question);
  if (answer != METHOD_REACHED) circuit_trace_clear(question->trace); // a method may stop while it makes the trace
  return answer;
}
