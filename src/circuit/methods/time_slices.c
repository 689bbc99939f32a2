#include "circuit/methods/time_slices.h"

static const double FIRST_UNLIMITED_SLICE = 5, GROWTH = 3; // seconds; per round

// Runs each method once. `slice` limits the seconds of each; 0: it gets all of its share.
static MethodAnswer run_round(const TimeSlices *slices, void *question, Budget *whole, double slice) {
  MethodAnswer answer = METHOD_UNKNOWN;
  for (size_t i = 0; i < slices->count && answer == METHOD_UNKNOWN && !budget_exhausted(whole, "turns"); i++) {
    assert(slices->shares[i] > 0 && slices->shares[i] <= 1);
    Budget part = budget_share(whole, slices->shares[i]);
    double end = clock_now() + slice;
    if (slice > 0 && (part.deadline <= 0 || end < part.deadline)) part.deadline = end;
    answer = slices->run(question, i, &part);
  }
  return answer;
}

MethodAnswer time_slices_run(const TimeSlices *slices, void *question, Budget *whole) {
  MethodAnswer answer = METHOD_UNKNOWN;
  if (slices->first_slice > 0) answer = run_round(slices, question, whole, slices->first_slice);
  if (answer == METHOD_UNKNOWN && whole->deadline > 0) return run_round(slices, question, whole, 0);
  for (double slice = FIRST_UNLIMITED_SLICE; answer == METHOD_UNKNOWN && !budget_exhausted(whole, "turns");
       slice *= GROWTH)
    answer = run_round(slices, question, whole, slice);
  return answer;
}
