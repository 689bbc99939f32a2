// The end of the process, and failed assertions.
//
// Exact: exit runs the handlers of atexit, last one first, while other threads go on, and then stops all threads;
// abort, _exit and the like stop them at once. A failed assertion violates the property unreach-call. main's return is
// an exit as well: the front end sees to it when a program calls atexit.
//
// At most MOST_HANDLERS handlers; beyond, the answer is UNKNOWN. Assumed: exit is not called by two threads at a time
// (undefined in C); flushing files has no visible effect.
#include "heddle.h"

enum { MOST_HANDLERS = 8 };

static void (*handlers[MOST_HANDLERS])(void) = {0};
static int handler_count = 0;

int atexit(void (*handler)(void)) {
  __heddle_atomic_begin();
  int count = handler_count;
  if (count < MOST_HANDLERS) {
    handlers[count] = handler;
    handler_count = count + 1;
  }
  __heddle_atomic_end();
  if (count >= MOST_HANDLERS) __heddle_unmodelled("more than 8 exit handlers");
  return 0;
}

_Noreturn void exit(int status) {
  while (handler_count > 0) {
    int count = handler_count - 1;
    handler_count = count;
    handlers[count]();
  }
  __heddle_halt();
}

int on_exit(void (*handler)(int, void *), void *argument) { __heddle_unmodelled("on_exit"); }
int at_quick_exit(void (*handler)(void)) { __heddle_unmodelled("at_quick_exit"); }

_Noreturn void _exit(int status) { __heddle_halt(); }
_Noreturn void _Exit(int status) { __heddle_halt(); }
_Noreturn void quick_exit(int status) { __heddle_halt(); }
_Noreturn void __heddle_abort(void); // signals.c
_Noreturn void abort(void) {
  if (__heddle_uses_handlers()) __heddle_abort();
  __heddle_halt();
}

_Noreturn void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  __heddle_error();
}

_Noreturn void __assert_perror_fail(int code, const char *file, unsigned line, const char *function) {
  __heddle_error();
}

_Noreturn void __assert(const char *text, const char *file, int line) { __heddle_error(); }
_Noreturn void __assert_rtn(const char *function, const char *file, int line, const char *text) { __heddle_error(); }
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *text) { __heddle_error(); }
_Noreturn void _assert(const char *text, const char *file, unsigned line) { __heddle_error(); }
