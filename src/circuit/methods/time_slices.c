#include "circuit/methods/time_slices.h"

static const double FIRST_SLICE = 5, GROWTH = 3; // seconds

// Everybody once. A slice is the most that one gets; 0: as much as its share.
static MethodAnswer take_round(const TimeSlices *turns, void *question, Budget *whole, double slice) {
  MethodAnswer answer = METHOD_UNKNOWN;
  for (size_t i = 0; i < turns->count && answer == METHOD_UNKNOWN && !budget_exhausted(whole, "turns"); i++) {
    Budget mine = budget_share(whole, turns->shares[i]);
    double end = clock_now() + slice;
    if (slice > 0 && (mine.deadline <= 0 || end < mine.deadline)) mine.deadline = end;
    answer = turns->run(question, i, &mine);
  }
  return answer;
}

MethodAnswer time_slices_run(const TimeSlices *turns, void *question, Budget *whole) {
  MethodAnswer answer = METHOD_UNKNOWN;
  if (turns->moment > 0) answer = take_round(turns, question, whole, turns->moment);
  if (answer == METHOD_UNKNOWN && whole->deadline > 0) return take_round(turns, question, whole, 0);
  for (double slice = FIRST_SLICE; answer == METHOD_UNKNOWN && !budget_exhausted(whole, "turns"); slice *= GROWTH)
    answer = take_round(turns, question, whole, slice);
  return answer;
}

void turns_begin_covered(size_t turn, Text *covered, Text *before) {
  text_init(before, covered->account);
  if (turn > 0) text_add(before, covered->data);
  text_clear(covered);
}

void turns_end_covered(Text *covered, Text *before) {
  if (before->length && covered->length) text_add(before, "; ");
  text_add(before, covered->data);
  text_clear(covered);
  text_add(covered, before->data);
  text_free(before);
}
