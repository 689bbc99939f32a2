// Several methods for one question, one after the other. Each gets its share of the time that is left. Without a time
// limit they get slices of time that grow, again and again.
//
// Reachability: first a short search for a violation; then sets of states, which are exact, and fast if there are few
// states; then PDR for the rest of the time. Lassos: the same, but most questions are easy for one of the methods, so
// each is tried for a second first.
#include "circuit/methods/method.h"

static const Method *const methods[] = {&method_bmc, &method_bdd, &method_pdr};
enum { METHOD_COUNT = sizeof methods / sizeof *methods };

typedef struct TimeSlices {
  double shares[METHOD_COUNT]; // per method: its share of the time that is left
  double first_slice;          // seconds for which each method is tried first; 0: there is no such round
} TimeSlices;

static const TimeSlices slices_of[] = {
    [QUESTION_REACH] = {.shares = {0.25, 0.4, 1}}, [QUESTION_LASSO] = {.shares = {0.2, 0.4, 1}, .first_slice = 1}};

static const double FIRST_UNLIMITED_SLICE = 5, GROWTH = 3; // seconds; per round

// Runs a method, and adds what it covered to the list of what the methods before it covered.
static MethodAnswer run_and_list_covered(const Method *method, Question *question) {
  Text before;
  text_init(&before, question->account);
  text_add(&before, question->covered->data);
  text_clear(question->covered);
  MethodAnswer answer = method_answer(method, question);
  if (before.length && question->covered->length) text_add(&before, "; ");
  text_add(&before, question->covered->data);
  text_clear(question->covered);
  text_add(question->covered, before.data);
  text_free(&before);
  return answer;
}

static MethodAnswer run_method(const Method *method, Question *question, Budget *part) {
  Budget *whole = question->budget;
  text_clear(question->reason);
  question->broken = false;
  question->budget = part;
  MethodAnswer answer = run_and_list_covered(method, question);
  question->budget = whole;
  if (answer != METHOD_UNKNOWN) log_detail(question->log, "circuit: decided by %s", method->name);
  return answer;
}

// Runs each method once. `slice` limits the seconds of each; 0: it gets all of its share.
static MethodAnswer run_round(Question *question, double slice) {
  MethodAnswer answer = METHOD_UNKNOWN;
  Budget *whole = question->budget;
  for (size_t i = 0; i < METHOD_COUNT && answer == METHOD_UNKNOWN && !budget_exhausted(whole, "turns"); i++) {
    Budget part = budget_share(whole, slices_of[question->kind].shares[i]);
    double end = clock_now() + slice;
    if (slice > 0 && (part.deadline <= 0 || end < part.deadline)) part.deadline = end;
    if (i == 0) text_clear(question->covered);
    answer = run_method(methods[i], question, &part);
  }
  return answer;
}

static MethodAnswer run_rounds(Question *question) {
  MethodAnswer answer = METHOD_UNKNOWN;
  Budget *whole = question->budget;
  double first_slice = slices_of[question->kind].first_slice;
  if (first_slice > 0) answer = run_round(question, first_slice);
  if (answer == METHOD_UNKNOWN && whole->deadline > 0) return run_round(question, 0);
  for (double slice = FIRST_UNLIMITED_SLICE; answer == METHOD_UNKNOWN && !budget_exhausted(whole, "turns");
       slice *= GROWTH)
    answer = run_round(question, slice);
  return answer;
}

MethodAnswer auto_answer(Question *question) {
  MethodAnswer answer = run_rounds(question);
  if (answer == METHOD_UNKNOWN && question->reason->length == 0)
    text_add(question->reason, stop_reason_text(question->budget->reason));
  return answer;
}
