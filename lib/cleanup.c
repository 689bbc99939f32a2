// Cleanup handlers.
//
// pthread_cleanup_push and _pop are macros. In C without exceptions, glibc 2.x expands them to code that keeps routine
// and argument in locals, calls __sigsetjmp (returns 0 here, see jump.c), registers a buffer, and at the pop
// unregisters it and calls the routine if asked to. That is exact for every path that reaches the pop. A
// pthread_exit between push and pop would have to jump back to the __sigsetjmp: it ends with UNKNOWN.
//
// The older interface, _pthread_cleanup_push and _pop with a chained buffer, is exact, pthread_exit included.
//
// Assumed: no cancellation (threads.c), no return out of a pushed region (undefined in POSIX).
#define _GNU_SOURCE
#include "heddle.h"
#include "thread_storage.h"

#include <pthread.h>

static _Thread_local int registered = 0;
static _Thread_local struct _pthread_cleanup_buffer *newest = NULL;

void __pthread_register_cancel(__pthread_unwind_buf_t *buffer) { registered++; }
void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer) { registered--; }
void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buffer) { registered++; }
void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buffer) { registered--; }

void __pthread_unwind_next(__pthread_unwind_buf_t *buffer) { __heddle_unmodelled("unwinding of cleanup handlers"); }

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

void __heddle_run_cleanups(void) {
  if (registered > 0) __heddle_unmodelled("pthread_exit between pthread_cleanup_push and pthread_cleanup_pop");
  while (newest) {
    struct _pthread_cleanup_buffer *buffer = newest;
    newest = buffer->__prev;
    buffer->__routine(buffer->__arg);
  }
}
