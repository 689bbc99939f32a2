// Timers that send signals: SIGALRM and the like, which the environment may send anyway. What is left of a timer is any
// value.
#define _GNU_SOURCE
#include "heddle.h"

#include <limits.h>
#include <sys/time.h>

long __heddle_fresh_long(void);

static unsigned alarm_seconds = 0; // of the last alarm

// Not negative. A select, not an assumption: no execution is cut off.
static long any_instant(void) { return __heddle_fresh_long() & LONG_MAX; }

static long any_below(long limit) {
  long value = any_instant();
  return __heddle_select_long(value < limit, value, 0);
}

unsigned alarm(unsigned seconds) {
  unsigned left = __heddle_fresh_unsigned(), last;
  __heddle_atomic_begin();
  last = alarm_seconds;
  alarm_seconds = seconds;
  __heddle_atomic_end();
  return (unsigned)__heddle_select_int(left <= last, (int)left, (int)last);
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
