// Clocks, sleeping, yielding.
//
// A clock shows any time in its range. Clocks that can be set (CLOCK_REALTIME, time, gettimeofday) are unrelated from
// reading to reading. The others never go back, whichever thread reads them: the last time that each has shown is kept.
// Sleeping lasts at least as long as it should on CLOCK_MONOTONIC and CLOCK_BOOTTIME, and changes nothing else, since
// all schedules are considered anyway. Where the program reads no such clock, sleeping has no effect at all.
//
// A timed wait that times out has lasted until its deadline, if that is a time of a clock that never goes back.
//
// A signal handler may end a sleep early. Assumed: times are below 2^33 seconds, so that nanoseconds are numbers of 64
// bits.
#define _GNU_SOURCE
#include "results.h"
#include "signals.h"
#include "timing.h"
#include "user_data.h"

#include <sched.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

enum { NANOSECONDS = 1000000000, CLOCKS = 12 };

static long any_below(long limit) {
  long value = __heddle_fresh_long();
  return __heddle_select_long((value < 0) | (value >= limit), 0, value);
}

static long any_seconds(void) { return any_below(sizeof(long) == 8 ? (long)(1ull << 33) : LONG_MAX); }

// --- the last time that a clock has shown ---

static struct timespec last[CLOCKS];
static _Thread_local struct timespec last_of_thread;

static int may_go_back(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM ||
         clock == CLOCK_TAI || (unsigned)clock >= CLOCKS;
}

static struct timespec *last_of(clockid_t clock) {
  return clock == CLOCK_THREAD_CPUTIME_ID ? &last_of_thread : &last[clock];
}

static int is_before(long seconds, long nanoseconds, long other_seconds, long other_nanoseconds) {
  return (seconds < other_seconds) | ((seconds == other_seconds) & (nanoseconds < other_nanoseconds));
}

// `time` or the last one shown, whichever is later, becomes the last one shown.
static struct timespec advance(struct timespec *shown, struct timespec time) {
  __heddle_atomic_begin();
  long seconds = shown->tv_sec, nanoseconds = shown->tv_nsec;
  int back = is_before(time.tv_sec, time.tv_nsec, seconds, nanoseconds);
  time.tv_sec = __heddle_select_long(back, seconds, time.tv_sec);
  time.tv_nsec = __heddle_select_long(back, nanoseconds, time.tv_nsec);
  shown->tv_sec = time.tv_sec;
  shown->tv_nsec = time.tv_nsec;
  __heddle_atomic_end();
  return time;
}

static void HEDDLE_PLAIN(store_instant)(struct timespec *result, struct timespec time) {
  result->tv_sec = time.tv_sec;
  result->tv_nsec = time.tv_nsec;
}

int clock_gettime(clockid_t clock, struct timespec *result) {
  struct timespec time = {any_seconds(), any_below(NANOSECONDS)};
  if (!may_go_back(clock)) time = advance(last_of(clock), time);
  HEDDLE_PLAIN(store_instant)(result, time);
  return 0;
}

int __clock_gettime64(clockid_t clock, struct timespec *result) { __heddle_unmodelled("times of 64 bits"); }

static long last_ticks = 0;

clock_t clock(void) {
  long ticks = any_seconds();
  __heddle_atomic_begin();
  long before = last_ticks;
  ticks = __heddle_select_long(ticks < before, before, ticks);
  last_ticks = ticks;
  __heddle_atomic_end();
  return ticks;
}

// --- clocks that can be set ---

time_t time(time_t *result) {
  long now = any_seconds();
  if (result) HEDDLE_PLAIN(store_long)(result, now);
  return now;
}

int gettimeofday(struct timeval *result, void *zone) {
  HEDDLE_PLAIN(store_long)(&result->tv_sec, any_seconds());
  HEDDLE_PLAIN(store_long)(&result->tv_usec, any_below(1000000));
  if (zone) __heddle_any_bytes(zone, sizeof(struct timezone));
  return 0;
}

int timespec_get(struct timespec *result, int base) {
  if (base != TIME_UTC) return 0;
  clock_gettime(CLOCK_REALTIME, result);
  return base;
}

int clock_getres(clockid_t clock, struct timespec *result) {
  if (result) HEDDLE_PLAIN(store_instant)(result, (struct timespec){0, 1 + any_below(NANOSECONDS - 1)});
  return 0;
}

int clock_settime(clockid_t clock, const struct timespec *time) {
  __heddle_read_bytes(time, sizeof *time);
  return zero_or_failure();
}

int settimeofday(const struct timeval *time, const struct timezone *zone) {
  if (time) __heddle_read_bytes(time, sizeof *time);
  if (zone) __heddle_read_bytes(zone, sizeof *zone);
  return zero_or_failure();
}

// --- sleeping ---

static void sleep_until(clockid_t clock, struct timespec end) {
  if (!may_go_back(clock)) advance(last_of(clock), end);
}

static struct timespec sum(struct timespec start, long seconds, long nanoseconds) {
  start.tv_sec += seconds;
  start.tv_nsec += nanoseconds;
  int carry = start.tv_nsec >= NANOSECONDS;
  start.tv_sec += carry;
  start.tv_nsec -= __heddle_select_long(carry, NANOSECONDS, 0);
  return start;
}

// It ends no sooner than that long after the last time that was shown when it began.
static void sleep_for(long seconds, long nanoseconds) {
  if (!__heddle_clocks_matter) return;
  __heddle_atomic_begin();
  struct timespec monotonic = last[CLOCK_MONOTONIC], boot = last[CLOCK_BOOTTIME];
  __heddle_atomic_end();
  sleep_until(CLOCK_MONOTONIC, sum(monotonic, seconds, nanoseconds));
  sleep_until(CLOCK_BOOTTIME, sum(boot, seconds, nanoseconds));
}

static struct timespec HEDDLE_PLAIN(load_instant)(const struct timespec *from) { return *from; }

void __heddle_waited_until(int clock, long seconds, long nanoseconds) {
  sleep_until(clock, (struct timespec){seconds, nanoseconds});
}

void __heddle_waited_for(long seconds, long nanoseconds) { sleep_for(seconds, nanoseconds); }

// Did a signal handler end the sleep?
static int is_cut_short(void) {
  interruptible();
  return was_interrupted(HANDLED_ANY);
}

// How much is left of an interrupted sleep is any value up to what was asked for.
unsigned sleep(unsigned seconds) {
  if (!is_cut_short()) {
    sleep_for((long)(seconds & INT_MAX), 0);
    return 0;
  }
  unsigned left = __heddle_fresh_unsigned();
  return (unsigned)__heddle_select_int(left <= seconds, (int)left, (int)seconds);
}

int usleep(unsigned microseconds) {
  if (is_cut_short()) return fail_with(EINTR);
  sleep_for((long)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000);
  return 0;
}

static struct timespec any_up_to(struct timespec most) {
  struct timespec time = {any_seconds(), any_below(NANOSECONDS)};
  int later = is_before(most.tv_sec, most.tv_nsec, time.tv_sec, time.tv_nsec);
  time.tv_sec = __heddle_select_long(later, most.tv_sec, time.tv_sec);
  time.tv_nsec = __heddle_select_long(later, most.tv_nsec, time.tv_nsec);
  return time;
}

// For a duration, whose validity matters only if the program reads a clock.
static int sleep_by(const struct timespec *duration, struct timespec *remaining) {
  struct timespec length = {0, 0};
  if (__heddle_clocks_matter)
    length = HEDDLE_PLAIN(load_instant)(duration);
  else
    __heddle_read_bytes(duration, sizeof *duration);
  if (length.tv_sec < 0 || length.tv_nsec < 0 || length.tv_nsec >= NANOSECONDS) return EINVAL;
  if (is_cut_short()) {
    if (remaining) HEDDLE_PLAIN(store_instant)(remaining, any_up_to(HEDDLE_PLAIN(load_instant)(duration)));
    return EINTR;
  }
  sleep_for(length.tv_sec, length.tv_nsec);
  return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *remaining) {
  int code = sleep_by(duration, remaining);
  return code ? fail_with(code) : 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *remaining) {
  if (!(flags & TIMER_ABSTIME)) return sleep_by(duration, remaining);
  if (!__heddle_clocks_matter) return sleep_by(duration, NULL);
  struct timespec end = HEDDLE_PLAIN(load_instant)(duration);
  if (is_cut_short()) return EINTR;
  sleep_until(clock, end);
  return 0;
}

int __heddle_sleep(const struct timespec *duration, struct timespec *remaining) {
  return sleep_by(duration, remaining);
}

// --- yielding ---

int sched_yield(void) { return 0; }
int pthread_yield(void) { return 0; } // here, because <pthread.h> renames it to sched_yield

int sched_setaffinity(int process, size_t bytes, const cpu_set_t *processors) {
  __heddle_read_bytes(processors, bytes);
  return zero_or_failure();
}

int sched_getaffinity(int process, size_t bytes, cpu_set_t *processors) {
  __heddle_any_bytes(processors, bytes);
  return zero_or_failure();
}

int sched_setscheduler(int process, int policy, const struct sched_param *parameters) {
  __heddle_read_bytes(parameters, sizeof *parameters);
  return zero_or_failure();
}

int sched_setparam(int process, const struct sched_param *parameters) {
  return sched_setscheduler(process, 0, parameters);
}

int sched_getparam(int process, struct sched_param *parameters) {
  __heddle_any_bytes(parameters, sizeof *parameters);
  return zero_or_failure();
}

int sched_getscheduler(int process) { return or_failure(any_in(0, 6)); }
int sched_get_priority_max(int policy) { return 99; }
int sched_get_priority_min(int policy) { return 1; }
int sched_getcpu(void) { return any_in(0, 1023); }
