#include "base/budget.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

enum { CALLS_PER_CLOCK = 256 };

static const double NO_DEADLINE = 1e18;

double clock_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void budget_init(Budget *budget, double seconds, const volatile sig_atomic_t *flag) {
  *budget = (Budget){.deadline = seconds > 0 ? clock_now() + seconds : 0, .flag = flag};
}

bool budget_exhausted(Budget *budget, const char *stop_point) {
  if (budget->reason != STOP_NONE) return true;
  if (budget->force_at && strcmp(budget->force_at, stop_point) == 0)
    budget->reason = STOP_FORCED;
  else if (budget->flag && *budget->flag)
    budget->reason = STOP_SIGNAL;
  else if (budget->deadline > 0 && budget->calls++ % CALLS_PER_CLOCK == 0 && clock_now() >= budget->deadline)
    budget->reason = STOP_TIME;
  return budget->reason != STOP_NONE;
}

bool budget_exhausted_now(Budget *budget, const char *stop_point) {
  budget->calls = 0;
  return budget_exhausted(budget, stop_point);
}

Budget budget_share(const Budget *budget, double share) {
  Budget part = *budget;
  if (part.deadline > 0) part.deadline = clock_now() + share * budget_left(budget);
  return part;
}

double budget_left(const Budget *budget) {
  if (budget->deadline <= 0) return NO_DEADLINE;
  double left = budget->deadline - clock_now();
  return left > 0 ? left : 0;
}

const char *stop_reason_text(StopReason reason) {
  static const char *const texts[] = {
      [STOP_NONE] = "not stopped",   [STOP_TIME] = "out of time",       [STOP_MEMORY] = "out of memory",
      [STOP_SIGNAL] = "interrupted", [STOP_FORCED] = "stopped by test",
  };
  return texts[reason];
}
