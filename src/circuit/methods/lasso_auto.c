// Lasso methods in turn: most questions are easy for one of them, so that all are tried for a moment first.
#include "circuit/methods/lasso_method.h"
#include "circuit/methods/time_slices.h"

static MethodAnswer run_turn(void *context, size_t turn, Budget *budget) {
  static const LassoMethod *const methods[] = {&lasso_sat, &lasso_bdd, &lasso_pdr};
  LassoQuestion *question = context;
  Budget *whole = question->budget;
  text_clear(question->reason);
  question->budget = budget;
  Text before;
  turns_begin_covered(turn, question->covered, &before);
  MethodAnswer answer = methods[turn]->run(question);
  turns_end_covered(question->covered, &before);
  question->budget = whole;
  if (answer != METHOD_UNKNOWN) log_detail(question->log, "circuit: decided by %s", methods[turn]->name);
  return answer;
}

static MethodAnswer auto_run(LassoQuestion *question) {
  static const double shares[] = {0.2, 0.4, 1};
  static const TimeSlices turns = {
      .shares = shares, .count = sizeof shares / sizeof *shares, .moment = 1, .run = run_turn};
  return time_slices_run(&turns, question, question->budget);
}

const LassoMethod lasso_auto = {.name = "auto", .summary = "bmc, bdd and pdr in turn", .run = auto_run};
