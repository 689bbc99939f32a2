// Results of system calls: success or failure, at any time and for any reason.
//
// A result is one fresh value in its range, with the comparisons that a program would make, so that an engine that
// splits inputs into regions needs few cases. A failure sets errno to any error, if the program reads errno at all.
#ifndef HEDDLE_LIB_RESULTS_H
#define HEDDLE_LIB_RESULTS_H

#include "errors.h"
#include "heddle.h"

#include <limits.h>
#include <sys/types.h>

enum { LARGEST_ERROR = 133 }; // EHWPOISON

long __heddle_fresh_long(void);

static int any_error(void) {
  int code = __heddle_fresh_int();
  return __heddle_select_int((code > 0) & (code <= LARGEST_ERROR), code, EIO);
}

// errno becomes any error if `failed`.
static void note_failure(int failed) {
  if (!__heddle_errno_matters) return;
  int code = any_error(), old = errno;
  errno = __heddle_select_int(failed, code, old);
}

static int fail_with(int code) {
  errno = code;
  return -1;
}

// `value`, or -1: one expression, so that the choice is no branch.
static int or_failure(int value) {
  int failed = __heddle_fresh_bool();
  note_failure(failed);
  return value | -failed;
}

static int zero_or_failure(void) { return or_failure(0); }

// -1, or 0 to `most`.
static ssize_t count_or_failure(size_t most) {
  long limit = (long)__heddle_select_size(most > LONG_MAX, LONG_MAX, most), count = __heddle_fresh_long();
  count = __heddle_select_long((count < -1) | (count > limit), -1, count);
  note_failure(count < 0);
  return count;
}

static long at_least(long least) {
  long value = __heddle_fresh_long();
  return __heddle_select_long(value < least, least, value);
}

static size_t at_most(size_t most) {
  size_t value = __heddle_fresh_size();
  return __heddle_select_size(value > most, most, value);
}

static int any_in(int least, int most) {
  int value = __heddle_fresh_int();
  return __heddle_select_int((value < least) | (value > most), least, value);
}

// Any number that is not negative, into a field of any type.
#define NOT_NEGATIVE(field)                                                                                            \
  ((field) = (__typeof__(field))(__heddle_fresh_longlong() & (sizeof(field) == 8 ? LLONG_MAX : INT_MAX)))

// NULL, or `pointer`.
static void *or_null(void *pointer) {
  int failed = __heddle_fresh_bool();
  note_failure(failed);
  return __heddle_select_pointer(failed, NULL, pointer);
}

#endif
