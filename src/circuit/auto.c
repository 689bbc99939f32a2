// One method after the other: a short look for a violation, then sets of states, which are exact and quick where the states
// are few, then PDR for the rest of the time. Without a time limit they take turns that grow.
#include "circuit/method.h"

typedef struct Turn {
  const Method *method;
  double share; // of the time that is left
} Turn;

static const Turn turns[] = {{&method_bmc, 0.25}, {&method_bdd, 0.4}, {&method_pdr, 1}};
enum { TURNS = sizeof turns / sizeof *turns };
static const double FIRST_SLICE = 5, GROWTH = 3; // seconds

static Budget budget_of_turn(const Budget *whole, const Turn *turn, double slice) {
  Budget mine = budget_share(whole, turn->share);
  if (whole->deadline <= 0) mine.deadline = clock_now() + slice;
  return mine;
}

static MethodAnswer take_turns(Question *question, double slice) {
  for (size_t i = 0; i < TURNS && !budget_exhausted(question->budget, "circuit-auto"); i++) {
    Budget budget = budget_of_turn(question->budget, &turns[i], slice);
    Question mine = *question;
    mine.budget = &budget;
    text_clear(question->reason);
    MethodAnswer answer = turns[i].method->run(&mine);
    if (answer == METHOD_UNKNOWN) continue;
    log_detail(question->log, "circuit: decided by %s", turns[i].method->name);
    return answer;
  }
  return METHOD_UNKNOWN;
}

static MethodAnswer auto_run(Question *question) {
  MethodAnswer answer = METHOD_UNKNOWN;
  bool limited = question->budget->deadline > 0;
  for (double slice = FIRST_SLICE; answer == METHOD_UNKNOWN; slice *= GROWTH) {
    answer = take_turns(question, slice);
    if (limited || budget_exhausted(question->budget, "circuit-auto")) break;
  }
  if (answer == METHOD_UNKNOWN && question->reason->length == 0)
    text_add(question->reason, stop_reason_text(question->budget->reason));
  return answer;
}

const Method method_auto = {
    .name = "auto", .summary = "bmc, then bdd, then pdr, in shares of the time", .run = auto_run};
