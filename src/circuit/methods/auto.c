// One method after the other: first a short search for a violation; then sets of states, which are exact, and fast if there
// are few states; then PDR for the rest of the time.
#include "circuit/methods/time_slices.h"

static MethodAnswer run_slice(void *context, size_t method, Budget *budget) {
  static const Method *const methods[] = {&method_bmc, &method_bdd, &method_pdr};
  Question question = *(const Question *)context;
  question.budget = budget;
  text_clear(question.reason);
  MethodAnswer answer = methods[method]->run(&question);
  if (answer != METHOD_UNKNOWN) log_detail(question.log, "circuit: decided by %s", methods[method]->name);
  return answer;
}

static MethodAnswer auto_run(Question *question) {
  static const double shares[] = {0.25, 0.4, 1};
  static const TimeSlices slices = {.shares = shares, .count = sizeof shares / sizeof *shares, .run = run_slice};
  MethodAnswer answer = time_slices_run(&slices, question, question->budget);
  if (answer == METHOD_UNKNOWN && question->reason->length == 0)
    text_add(question->reason, stop_reason_text(question->budget->reason));
  return answer;
}

const Method method_auto = {
    .name = "auto", .summary = "bmc, then bdd, then pdr, in shares of the time", .run = auto_run};
