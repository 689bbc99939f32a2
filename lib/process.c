// The end of the process, and failed assertions.
//
// Exact: exit runs the handlers of atexit and on_exit, last one first, then the destructor functions, while other
// threads go on, and then stops all threads; quick_exit runs those of at_quick_exit only; abort, _exit and the like
// stop all threads at once. main's return is an exit, and so is the end of the last thread (thread_end.c): the front
// end calls the models there if something has to run. A failed assertion violates the property unreach-call.
//
// At most MOST_HANDLERS handlers of each kind; beyond, the answer is UNKNOWN. Assumed: where two threads call exit at a
// time (undefined in C), each handler runs once, as in glibc; flushing files has no visible effect.
#include "heddle.h"

enum { MOST_HANDLERS = 8 };
enum { PLAIN, WITH_STATUS, WITH_ARGUMENT };

struct handler {
  void (*function)(void); // its type is that of its kind
  void *argument;
  int kind;
};

static struct handler handlers[MOST_HANDLERS] = {0};
static int handler_count = 0;
static void (*quick_handlers[MOST_HANDLERS])(void) = {0};
static int quick_count = 0;

static int add_handler(void (*function)(void), void *argument, int kind) {
  __heddle_atomic_begin();
  int count = handler_count;
  if (count < MOST_HANDLERS) {
    handlers[count].function = function;
    handlers[count].argument = argument;
    handlers[count].kind = kind;
    handler_count = count + 1;
  }
  __heddle_atomic_end();
  if (count >= MOST_HANDLERS) __heddle_unmodelled("more than 8 exit handlers");
  return 0;
}

int atexit(void (*handler)(void)) { return add_handler(handler, NULL, PLAIN); }

int on_exit(void (*handler)(int, void *), void *argument) {
  return add_handler((void (*)(void))handler, argument, WITH_STATUS);
}

int __cxa_atexit(void (*handler)(void *), void *argument, void *library) {
  return add_handler((void (*)(void))handler, argument, WITH_ARGUMENT);
}

int at_quick_exit(void (*handler)(void)) {
  __heddle_atomic_begin();
  int count = quick_count;
  if (count < MOST_HANDLERS) {
    quick_handlers[count] = handler;
    quick_count = count + 1;
  }
  __heddle_atomic_end();
  if (count >= MOST_HANDLERS) __heddle_unmodelled("more than 8 exit handlers");
  return 0;
}

// Removes the newest entry and returns its number; -1: there is none.
static int pop(int *count) {
  __heddle_atomic_begin();
  int newest = *count - 1;
  if (newest >= 0) *count = newest;
  __heddle_atomic_end();
  return newest;
}

static void run_handler(int number, int status) {
  struct handler *handler = &handlers[number];
  int kind = handler->kind;
  if (kind == PLAIN)
    handler->function();
  else if (kind == WITH_STATUS)
    ((void (*)(int, void *))handler->function)(status, handler->argument);
  else
    ((void (*)(void *))handler->function)(handler->argument);
}

_Noreturn void exit(int status) {
  if (__heddle_has_exit_handlers()) {
    for (int number = pop(&handler_count); number >= 0; number = pop(&handler_count)) run_handler(number, status);
    __heddle_run_destructors();
  }
  __heddle_process_ends();
  __heddle_halt();
}

_Noreturn void quick_exit(int status) {
  if (__heddle_has_exit_handlers())
    for (int number = pop(&quick_count); number >= 0; number = pop(&quick_count)) quick_handlers[number]();
  __heddle_process_ends();
  __heddle_halt();
}

_Noreturn void _exit(int status) {
  __heddle_process_ends();
  __heddle_halt();
}
_Noreturn void _Exit(int status) {
  __heddle_process_ends();
  __heddle_halt();
}
_Noreturn void __heddle_abort(void); // signals.c
_Noreturn void abort(void) {
  if (__heddle_uses_handlers()) __heddle_abort();
  __heddle_halt();
}

// Threads that have not ended, main included. The front end counts only where something has to run at the end.
static int running = 1;

void __heddle_count_thread_in(void) {
  __heddle_atomic_begin();
  running = running + 1;
  __heddle_atomic_end();
}

int __heddle_count_thread_out(void) {
  __heddle_atomic_begin();
  int left = running - 1;
  running = left;
  __heddle_atomic_end();
  return left == 0;
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
