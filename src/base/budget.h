// Budget: how long an engine may still run, and the flag that stops it.
//
// An engine calls `budget_exhausted` at every stop point (each turn of its loops). The call is cheap: the clock is
// read once in 256 calls. Once it has answered true it always does, and `reason` says why.
//
// Each stop point carries a name, so that a test can force it (`force_at`): "every stop point forced once".
#ifndef HEDDLE_BASE_BUDGET_H
#define HEDDLE_BASE_BUDGET_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum StopReason { STOP_NONE, STOP_TIME, STOP_MEMORY, STOP_SIGNAL, STOP_FORCED } StopReason;

typedef struct Budget {
  double deadline;                   // seconds on the clock of `clock_now`; 0: none
  const volatile sig_atomic_t *flag; // set by a signal handler, or NULL
  StopReason reason;
  uint32_t calls;
  const char *force_at; // name of the stop point to force, or NULL
} Budget;

double clock_now(void); // monotonic, seconds

void budget_init(Budget *budget, double seconds, const volatile sig_atomic_t *flag); // seconds <= 0: no limit
bool budget_exhausted(Budget *budget, const char *stop_point);
// The same, with a look at the clock in any case: for stop points that are passed seldom.
bool budget_exhausted_now(Budget *budget, const char *stop_point);
// A budget for a part of the work: so much of the time that is left.
Budget budget_share(const Budget *budget, double share);
double budget_left(const Budget *budget);        // seconds; a large number without a deadline
const char *stop_reason_text(StopReason reason); // "out of time", "interrupted", ...

#endif
