// Deadlines and durations: the user's data, read by ordinary accesses. Time passes at any speed, so that only their form
// matters.
#ifndef HEDDLE_LIB_TIMING_H
#define HEDDLE_LIB_TIMING_H

#include "errors.h"
#include "heddle.h"

#include <time.h>

static inline void HEDDLE_PLAIN(read_time)(const struct timespec *time) {
  long second = time->tv_sec, nanosecond = time->tv_nsec;
}

static inline int HEDDLE_PLAIN(is_valid_time)(const struct timespec *time) {
  long second = time->tv_sec;
  return (unsigned long)time->tv_nsec < 1000000000ul;
}

// 0, or EINVAL for a deadline with an impossible number of nanoseconds. One that may come from a clock, which shows any
// value, is assumed to be possible.
static inline int deadline_error(const struct timespec *deadline) {
  if (!__heddle_uses_clocks()) return HEDDLE_PLAIN(is_valid_time)(deadline) ? 0 : EINVAL;
  HEDDLE_PLAIN(read_time)(deadline);
  return 0;
}

// What a timed operation answers that cannot be done now.
static inline int timed_out(const struct timespec *deadline) { return deadline_error(deadline) ? EINVAL : ETIMEDOUT; }

#endif
