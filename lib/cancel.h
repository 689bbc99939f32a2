// Cancellation in functions that wait: a request ends the wait. A request that is pending when a cancellation point is
// called is handled by the front end (front/threads/cancel.c), so that models need not check for it.
#ifndef HEDDLE_LIB_CANCEL_H
#define HEDDLE_LIB_CANCEL_H

#define _GNU_SOURCE
#include "heddle.h"

#include <pthread.h>

// In a thread's control block.
enum { CANCEL_NONE = 0, CANCEL_REQUESTED = 1, CANCEL_ENDING = 2 }; // CANCEL_ENDING: later requests have no effect
extern _Thread_local int __heddle_cancel_state, __heddle_cancel_type;

// Must this thread act on a request?
static inline int cancel_requested(void) {
  if (!__heddle_uses_cancelling()) return 0;
  return (__heddle_self()->cancel == CANCEL_REQUESTED) & (__heddle_cancel_state == PTHREAD_CANCEL_ENABLE);
}

void __heddle_cancellation_point(void);
_Noreturn void __heddle_act_on_request(void); // cleanup handlers, destructors, the end

#endif
