// Time. Clocks show any value in their range; sleeping and yielding do nothing, since every schedule is looked at.
//
// Assumed: no signal ends a sleep early. Not exact: two readings of a clock are unrelated, so that time may seem to run
// backwards.
#define _GNU_SOURCE
#include "heddle.h"
#include "user_data.h"

#include <limits.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>

long __heddle_fresh_long(void);

// Not negative. A select, not an assumption: no execution is cut off.
static long any_instant(void) { return __heddle_fresh_long() & LONG_MAX; }

static long any_below(long limit) {
  long value = any_instant();
  return value < limit ? value : 0;
}

time_t time(time_t *result) {
  long now = any_instant();
  if (result) HEDDLE_PLAIN(store_long)(result, now);
  return now;
}

clock_t clock(void) { return any_instant(); }

int gettimeofday(struct timeval *result, void *zone) {
  HEDDLE_PLAIN(store_long)(&result->tv_sec, any_instant());
  HEDDLE_PLAIN(store_long)(&result->tv_usec, any_below(1000000));
  return 0;
}

static void HEDDLE_PLAIN(store_instant)(struct timespec *result) {
  result->tv_sec = any_instant();
  result->tv_nsec = any_below(1000000000);
}

int clock_gettime(clockid_t clock, struct timespec *result) {
  HEDDLE_PLAIN(store_instant)(result);
  return 0;
}

int clock_getres(clockid_t clock, struct timespec *result) {
  if (result) HEDDLE_PLAIN(store_instant)(result);
  return 0;
}

int timespec_get(struct timespec *result, int base) {
  if (base != TIME_UTC) return 0;
  HEDDLE_PLAIN(store_instant)(result);
  return base;
}

unsigned sleep(unsigned seconds) { return 0; }
int usleep(unsigned microseconds) { return 0; }
int nanosleep(const struct timespec *duration, struct timespec *remaining) { return 0; }

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *remaining) {
  return 0;
}

int sched_yield(void) { return 0; }
int pthread_yield(void) { return 0; } // here, because <pthread.h> renames it to sched_yield
int sched_setaffinity(int process, size_t bytes, const cpu_set_t *processors) { return 0; }
int sched_setscheduler(int process, int policy, const struct sched_param *parameters) { return 0; }
