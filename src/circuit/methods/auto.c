// One method after the other: a short look for a violation, then sets of states, which are exact and quick where the states
// are few, then PDR for the rest of the time.
#include "circuit/methods/time_slices.h"

static MethodAnswer run_turn(void *context, size_t turn, Budget *budget) {
  static const Method *const methods[] = {&method_bmc, &method_bdd, &method_pdr};
  Question question = *(const Question *)context;
  question.budget = budget;
  text_clear(question.reason);
  Text before;
  turns_begin_covered(turn, question.covered, &before);
  MethodAnswer answer = methods[turn]->run(&question);
  turns_end_covered(question.covered, &before);
  if (answer != METHOD_UNKNOWN) log_detail(question.log, "circuit: decided by %s", methods[turn]->name);
  return answer;
}

static MethodAnswer auto_run(Question *question) {
  static const double shares[] = {0.25, 0.4, 1};
  static const TimeSlices turns = {.shares = shares, .count = sizeof shares / sizeof *shares, .run = run_turn};
  MethodAnswer answer = time_slices_run(&turns, question, question->budget);
  if (answer == METHOD_UNKNOWN && question->reason->length == 0)
    text_add(question->reason, stop_reason_text(question->budget->reason));
  return answer;
}

const Method method_auto = {
    .name = "auto", .summary = "bmc, then bdd, then pdr, in shares of the time", .run = auto_run};
