// Lasso methods one after the other. Most questions are easy for one of the methods, so each is tried for a second first.
#include "circuit/methods/lasso_method.h"
#include "circuit/methods/time_slices.h"

// Runs a method, and adds what it covered to the list of what the methods before it covered.
static MethodAnswer run_and_list_covered(const LassoMethod *method, LassoQuestion *question) {
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

static MethodAnswer run_slice(void *context, size_t method, Budget *budget) {
  static const LassoMethod *const methods[] = {&lasso_sat, &lasso_bdd, &lasso_pdr};
  LassoQuestion *question = context;
  Budget *whole = question->budget;
  if (method == 0) text_clear(question->covered);
  text_clear(question->reason);
  question->budget = budget;
  MethodAnswer answer = run_and_list_covered(methods[method], question);
  question->budget = whole;
  if (answer != METHOD_UNKNOWN) log_detail(question->log, "circuit: decided by %s", methods[method]->name);
  return answer;
}

static MethodAnswer auto_run(LassoQuestion *question) {
  static const double shares[] = {0.2, 0.4, 1};
  static const TimeSlices slices = {
      .shares = shares, .count = sizeof shares / sizeof *shares, .first_slice = 1, .run = run_slice};
  return time_slices_run(&slices, question, question->budget);
}

const LassoMethod lasso_auto = {.name = "auto", .summary = "bmc, bdd and pdr in turn", .run = auto_run};
