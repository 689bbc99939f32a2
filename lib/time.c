// Time. Clocks show any value in their range; sleeping and yielding do nothing, since every schedule is looked at, except
// that a signal handler may end a sleep.
//
// Not exact: two readings of a clock are unrelated, so that time may seem to run backwards.
#define _GNU_SOURCE
#include "heddle.h"
#include "signals.h"
#include "timing.h"
#include "user_data.h"

#include <limits.h>
#include <sched.h>
#include <sys/time.h>
#include <time.h>

long __heddle_fresh_long(void);

static unsigned alarm_seconds = 0; // of the last alarm

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

// A signal handler that runs meanwhile ends a sleep; how much is left is any value up to what was asked for.
unsigned sleep(unsigned seconds) {
  interruptible();
  if (!was_interrupted(HANDLED_ANY)) return 0;
  unsigned left = __heddle_fresh_unsigned();
  return left <= seconds ? left : seconds;
}

int usleep(unsigned microseconds) {
  interruptible();
  if (!was_interrupted(HANDLED_ANY)) return 0;
  errno = EINTR;
  return -1;
}

static int sleep_for(const struct timespec *duration, struct timespec *remaining) {
  HEDDLE_PLAIN(read_time)(duration); // assumed to be possible
  interruptible();
  if (!was_interrupted(HANDLED_ANY)) return 0;
  if (remaining) HEDDLE_PLAIN(store_instant)(remaining);
  return EINTR;
}

int nanosleep(const struct timespec *duration, struct timespec *remaining) {
  int error = sleep_for(duration, remaining);
  if (!error) return 0;
  errno = error;
  return -1;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *remaining) {
  return sleep_for(duration, flags & TIMER_ABSTIME ? NULL : remaining);
}

int __heddle_sleep(const struct timespec *duration, struct timespec *remaining) {
  return sleep_for(duration, remaining);
}

// Timers send SIGALRM and the like, which the environment may send anyway. What is left of the last one is any value.
unsigned alarm(unsigned seconds) {
  unsigned left = __heddle_fresh_unsigned(), last;
  __heddle_atomic_begin();
  last = alarm_seconds;
  alarm_seconds = seconds;
  __heddle_atomic_end();
  return left <= last ? left : last;
}

unsigned ualarm(unsigned microseconds, unsigned interval) { return alarm(microseconds); }

static void HEDDLE_PLAIN(read_timer)(const struct itimerval *timer) {
  struct timeval value = timer->it_value, interval = timer->it_interval;
}

static void HEDDLE_PLAIN(write_timer)(struct itimerval *timer) {
  timer->it_value.tv_sec = any_instant();
  timer->it_value.tv_usec = any_below(1000000);
  timer->it_interval.tv_sec = any_instant();
  timer->it_interval.tv_usec = any_below(1000000);
}

int setitimer(__itimer_which_t which, const struct itimerval *new, struct itimerval *old) {
  if (new) HEDDLE_PLAIN(read_timer)(new);
  if (old) HEDDLE_PLAIN(write_timer)(old);
  return 0;
}

int getitimer(__itimer_which_t which, struct itimerval *now) {
  HEDDLE_PLAIN(write_timer)(now);
  return 0;
}

int sched_yield(void) { return 0; }
int pthread_yield(void) { return 0; } // here, because <pthread.h> renames it to sched_yield
int sched_setaffinity(int process, size_t bytes, const cpu_set_t *processors) { return 0; }
int sched_setscheduler(int process, int policy, const struct sched_param *parameters) { return 0; }
