// Deadlines and durations: the user's data, read by ordinary accesses. Time passes at any speed, so that only their
// validity matters, unless the program reads a clock that never goes back: such a clock then shows a time after them.
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
  __heddle_leaves_out("a deadline has an impossible number of nanoseconds");
  HEDDLE_PLAIN(read_time)(deadline);
  return 0;
}

// Records that a clock has reached a time, or that a duration has passed (time.c).
void __heddle_waited_until(int clock, long seconds, long nanoseconds);
void __heddle_waited_for(long seconds, long nanoseconds);

// A time, or zero if the program reads no clock that would show it.
static inline struct timespec HEDDLE_PLAIN(load_time)(const struct timespec *from) {
  struct timespec time = {0, 0};
  if (__heddle_clocks_matter) time = *from;
  return time;
}

// The result of a timed operation that is not possible now.
static inline int timed_out_by(clockid_t clock, const struct timespec *deadline) {
  if (deadline_error(deadline)) return EINVAL;
  struct timespec end = HEDDLE_PLAIN(load_time)(deadline);
  if (__heddle_clocks_matter) __heddle_waited_until(clock, end.tv_sec, end.tv_nsec);
  return ETIMEDOUT;
}

static inline int timed_out(const struct timespec *deadline) { return timed_out_by(CLOCK_REALTIME, deadline); }

#endif
