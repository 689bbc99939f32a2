// syscall: futexes, and a few calls that have a function of their own. Any other call ends with UNKNOWN, which names
// it.
//
// A futex wait returns at once if the word does not hold the expected value. Otherwise, for properties of reachable
// states, it returns at any time, because the kernel allows spurious wake-ups. With __heddle_exact_conditions it waits
// until a wake takes its thread out of the set of waiters of the word's address, and a wake takes out any threads of
// the set.
//
// At most MOST_WORDS words with waiters at a time and 32 threads in the exact variant; beyond, the answer is UNKNOWN.
// Requeueing is modelled only without exact waiting.
#define _GNU_SOURCE
#include "results.h"
#include "timing.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WORDS = 8, MOST_WAITERS = 32 };

// The words that threads wait for: bit n-1 is for the thread with number n. Without waiters an entry is free.
static struct waited {
  const int *word;
  unsigned waiters;
} waited[MOST_WORDS];

static unsigned own_bit(void) {
  int number = __heddle_self_number();
  if (number > MOST_WAITERS) __heddle_unmodelled("more than 32 threads waiting for futexes");
  return 1u << (number - 1);
}

// The entry of the word; if there is none, MOST_WORDS, or a free one.
static int find(const int *word, int or_free) {
  int free = MOST_WORDS;
  for (int i = 0; i < MOST_WORDS; i++) {
    if (waited[i].waiters == 0)
      free = i;
    else if (waited[i].word == word)
      return i;
  }
  return or_free ? free : MOST_WORDS;
}

static int enqueue(const int *word, int expected, unsigned bit) {
  __heddle_atomic_begin();
  int waits = *word == expected, place = 0;
  if (waits) {
    place = find(word, 1);
    if (place < MOST_WORDS) {
      waited[place].word = word;
      waited[place].waiters |= bit;
    }
  }
  __heddle_atomic_end();
  if (place == MOST_WORDS) __heddle_unmodelled("more than 8 futexes with waiters");
  return waits;
}

// Is the thread still in a set of waiters?
static int is_waiting(unsigned bit) {
  unsigned all = 0;
  for (int i = 0; i < MOST_WORDS; i++) all |= waited[i].waiters;
  return (all & bit) != 0;
}

static void leave(unsigned bit) {
  for (int i = 0; i < MOST_WORDS; i++) waited[i].waiters &= ~bit;
}

// 0, ETIMEDOUT, or -1 with errno set.
static long wait_exactly(const int *word, int expected, int timed) {
  unsigned bit = own_bit();
  if (!enqueue(word, expected, bit)) return fail_with(EAGAIN);
  __heddle_atomic_begin();
  if (!timed) __heddle_await(!is_waiting(bit));
  int timed_out = timed && is_waiting(bit);
  if (timed_out) leave(bit);
  __heddle_atomic_end();
  return timed_out ? ETIMEDOUT : 0;
}

static long give_up(struct timespec timeout, int absolute) {
  if (__heddle_clocks_matter && absolute)
    __heddle_waited_until(CLOCK_MONOTONIC, timeout.tv_sec, timeout.tv_nsec);
  else if (__heddle_clocks_matter)
    __heddle_waited_for(timeout.tv_sec, timeout.tv_nsec);
  return fail_with(ETIMEDOUT);
}

static long wait_for(const int *word, int expected, const struct timespec *timeout, int operation) {
  struct timespec time = {0, 0};
  if (timeout) {
    __heddle_read_bytes(timeout, sizeof *timeout);
    time = HEDDLE_PLAIN(load_time)(timeout);
  }
  if (operation & FUTEX_CLOCK_REALTIME) time = (struct timespec){0, 0};
  int absolute = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  if (__heddle_exact_conditions) {
    long result = wait_exactly(word, expected, timeout != NULL);
    return result == ETIMEDOUT ? give_up(time, absolute) : result;
  }
  if (*word != expected) return fail_with(EAGAIN);
  return timeout && __heddle_fresh_bool() ? give_up(time, absolute) : 0;
}

// Removes any one waiter from the set; every value is a choice.
static unsigned without_one(unsigned waiting) {
  unsigned chosen = 1u << __heddle_fresh_bits_5();
  if ((chosen & waiting) == 0) chosen = waiting & -waiting;
  return waiting & ~chosen;
}

// How many threads are woken is not known where waiting is not exact.
static int some_number(int most) {
  int number = __heddle_guess_int();
  return __heddle_select_int((number < 0) | (number > most), 0, number);
}

static long wake(const int *word, int most) {
  if (!__heddle_exact_conditions) return some_number(most);
  long woken = 0;
  __heddle_atomic_begin();
  int place = find(word, 0);
  if (place < MOST_WORDS) {
    unsigned waiting = waited[place].waiters;
    for (; waiting != 0 && woken < most; woken++) waiting = without_one(waiting);
    waited[place].waiters = waiting;
  }
  __heddle_atomic_end();
  return woken;
}

static long requeue(const int *word, int most, int compare, int expected) {
  if (__heddle_exact_conditions) __heddle_unmodelled("requeueing the waiters of a futex");
  if (compare && *word != expected) return fail_with(EAGAIN);
  return some_number(INT_MAX);
}

static long futex(const int *word, int operation, int value, const struct timespec *timeout, int third) {
  switch (operation & FUTEX_CMD_MASK) {
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET: return wait_for(word, value, timeout, operation);
  case FUTEX_WAKE:
  case FUTEX_WAKE_BITSET: return wake(word, value);
  case FUTEX_REQUEUE: return requeue(word, value, 0, 0);
  case FUTEX_CMP_REQUEUE: return requeue(word, value, 1, third);
  default: __heddle_unmodelled("an operation on futexes other than waiting and waking");
  }
}

#define NAMED(name)                                                                                                    \
  case SYS_##name: __heddle_unmodelled("syscall " #name)

static void refuse(long number) {
  switch (number) {
    NAMED(clone);
    NAMED(fork);
    NAMED(vfork);
    NAMED(execve);
    NAMED(exit);
    NAMED(exit_group);
    NAMED(kill);
    NAMED(tkill);
    NAMED(tgkill);
    NAMED(mremap);
    NAMED(brk);
    NAMED(rt_sigaction);
    NAMED(rt_sigprocmask);
    NAMED(perf_event_open);
    NAMED(getrandom);
    NAMED(ioctl);
    NAMED(sched_setaffinity);
    NAMED(sched_getaffinity);
    NAMED(set_mempolicy);
    NAMED(mbind);
    NAMED(clock_gettime);
    NAMED(nanosleep);
    NAMED(ptrace);
  default: __heddle_unmodelled("syscall with another number");
  }
}

long syscall(long number, ...) {
  if (number == SYS_futex) {
    int operation = __heddle_argument_int(1), base = operation & FUTEX_CMD_MASK, third = 0;
    const struct timespec *timeout = NULL;
    if (base == FUTEX_WAIT || base == FUTEX_WAIT_BITSET) timeout = __heddle_argument_pointer(3);
    if (base == FUTEX_CMP_REQUEUE) third = __heddle_argument_int(5);
    return futex(__heddle_argument_pointer(0), operation, __heddle_argument_int(2), timeout, third);
  }
  if (number == SYS_gettid) return gettid();
  if (number == SYS_getpid) return getpid();
  if (number == SYS_sched_yield) return 0;
#ifdef SYS_membarrier
  if (number == SYS_membarrier) return 0;
#endif
  refuse(number);
}
