// Lasso methods in turn: most questions are easy for one of them, so that all are tried for a moment first.
#include "circuit/methods/lasso_method.h"
#include "circuit/methods/time_slices.h"

// What was covered is a list of what each one says, as far as it says something.
static MethodAnswer run_listing(const LassoMethod *method, LassoQuestion *question) {
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

static MethodAnswer run_turn(void *context, size_t turn, Budget *budget) {
  static const LassoMethod *const methods[] = {&lasso_sat, &lasso_bdd, &lasso_pdr};
  LassoQuestion *question = context;
  Budget *whole = question->budget;
  if (turn == 0) text_clear(question->covered);
  text_clear(question->reason);
  question->budget = budget;
  MethodAnswer answer = run_listing(methods[turn], question);
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
