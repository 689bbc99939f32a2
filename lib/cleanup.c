// Cleanup handlers.
//
// pthread_cleanup_push and _pop are macros. In C without exceptions, glibc 2.x expands them to code that keeps routine
// and argument in locals, calls __sigsetjmp, registers a buffer, and at the pop unregisters it and calls the routine if
// asked to. When __sigsetjmp returns for the second time, the code calls the routine and then __pthread_unwind_next. So
// pthread_exit jumps to the buffer registered last, and unwinding goes on to the one before it.
//
// The older interface, _pthread_cleanup_push and _pop with a chained buffer, is exact, pthread_exit included.
//
// Assumed: no return out of a pushed region (undefined in POSIX).
#define _GNU_SOURCE
#include "cancel.h"
#include "heddle.h"
#include "thread_storage.h"

#include <pthread.h>

static _Thread_local __pthread_unwind_buf_t *registered = NULL; // the newest; __pad[0] links to the one before
static _Thread_local void *exit_result = NULL;
static _Thread_local struct _pthread_cleanup_buffer *newest = NULL;

void __pthread_register_cancel(__pthread_unwind_buf_t *buffer) {
  buffer->__pad[0] = registered;
  registered = buffer;
}

void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer) { registered = buffer->__pad[0]; }

void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buffer) { __pthread_register_cancel(buffer); }
void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buffer) { __pthread_unregister_cancel(buffer); }

static _Noreturn void unwind(void) {
  __pthread_unwind_buf_t *buffer = registered;
  if (!buffer) __heddle_thread_end(exit_result);
  registered = buffer->__pad[0];
  __heddle_longjmp((int *)buffer, 1);
}

void __pthread_unwind_next(__pthread_unwind_buf_t *buffer) { unwind(); }

void _pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *), void *argument) {
  buffer->__routine = routine;
  buffer->__arg = argument;
  buffer->__prev = newest;
  newest = buffer;
}

void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int execute) {
  newest = buffer->__prev;
  if (execute) buffer->__routine(buffer->__arg);
}

void _pthread_cleanup_push_defer(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *), void *argument) {
  _pthread_cleanup_push(buffer, routine, argument);
}

void _pthread_cleanup_pop_restore(struct _pthread_cleanup_buffer *buffer, int execute) {
  _pthread_cleanup_pop(buffer, execute);
}

void pthread_exit(void *result) {
  if (__heddle_uses_cancelling()) __heddle_self()->cancel = CANCEL_ENDING;
  while (newest) {
    struct _pthread_cleanup_buffer *buffer = newest;
    newest = buffer->__prev;
    if (buffer->__routine)
      buffer->__routine(buffer->__arg);
    else
      *(int *)buffer->__arg = 0; // the control of pthread_once, whose routine does not return (once.c)
  }
  exit_result = result;
  unwind();
}
