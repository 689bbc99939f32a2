// pthread_once: exact. The first caller runs the routine; callers meanwhile wait until it has returned; a routine that
// calls pthread_once on its own control waits for ever. A thread that ends inside the routine, by pthread_exit or by a
// request to cancel it, resets the control as if it had not called, before the handlers run that the routine itself has
// pushed. The control is 0 (new), 1 (running) or 2 (done).
#define _GNU_SOURCE
#include "heddle.h"

#include <pthread.h>
#include <threads.h>

void _pthread_cleanup_push(struct _pthread_cleanup_buffer *, void (*)(void *), void *);
void _pthread_cleanup_pop(struct _pthread_cleanup_buffer *, int);

static void run_once(int *control, void (*routine)(void)) {
  __heddle_atomic_begin();
  int state = *control;
  __heddle_await(state != 1);
  if (state == 0) *control = 1;
  __heddle_atomic_end();
  if (state != 0) return;
  if (__heddle_uses_thread_ends()) {
    struct _pthread_cleanup_buffer buffer;
    _pthread_cleanup_push(&buffer, NULL, control); // cleanup.c makes the control new
    routine();
    _pthread_cleanup_pop(&buffer, 0);
  } else {
    routine();
  }
  *control = 2;
}

int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  run_once(control, routine);
  return 0;
}

void call_once(once_flag *flag, void (*routine)(void)) { run_once(&flag->__data, routine); }
