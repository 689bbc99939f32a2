// Cancellation of threads.
//
// Exact: a request is acted on when its thread calls a cancellation point, or waits in one, while cancellation is
// enabled: cleanup handlers run, newest first, then destructors of keys, and the thread ends with PTHREAD_CANCELED.
// With the asynchronous type it is acted on at any point (as a signal: front/threads/interrupt.c). Functions that
// POSIX allows to be cancellation points may act on it, or not. A thread that ends, by itself or by a request, ignores
// later ones.
//
// Assumed: the handle is that of a thread that has not been joined. Unknown: asynchronous cancellation between
// pthread_cleanup_push and _pop.
#include "cancel.h"
#include "errors.h"
#include "user_data.h"

_Thread_local int __heddle_cancel_state = PTHREAD_CANCEL_ENABLE;
_Thread_local int __heddle_cancel_type = PTHREAD_CANCEL_DEFERRED;

_Noreturn void __heddle_act_on_request(void) { pthread_exit(PTHREAD_CANCELED); }

static void act_if_requested(void) {
  if (cancel_requested()) __heddle_act_on_request();
}

void __heddle_cancellation_point(void) { act_if_requested(); }

void __heddle_possible_cancellation_point(void) {
  if (cancel_requested() && __heddle_fresh_bool()) __heddle_act_on_request();
}

// An interruption of the thread at any point (front/threads/interrupt.c).
void __heddle_deliver_request(void) {
  struct heddle_thread *self = __heddle_self();
  __heddle_atomic_begin();
  __heddle_only_if(self->cancel == CANCEL_REQUESTED);
  __heddle_only_if(__heddle_cancel_state == PTHREAD_CANCEL_ENABLE);
  __heddle_only_if(__heddle_cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS);
  self->cancel = CANCEL_ENDING;
  __heddle_atomic_end();
  __heddle_act_on_request();
}

static void act_if_asynchronous(void) {
  if (__heddle_uses_cancelling() && __heddle_cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS) act_if_requested();
}

int pthread_cancel(pthread_t handle) {
  struct heddle_thread *thread = (struct heddle_thread *)handle;
  __heddle_atomic_begin();
  if (thread->cancel == CANCEL_NONE) thread->cancel = CANCEL_REQUESTED;
  __heddle_atomic_end();
  act_if_asynchronous();
  return 0;
}

void pthread_testcancel(void) {} // a cancellation point, and nothing else

int pthread_setcancelstate(int state, int *old) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  int before = __heddle_cancel_state;
  __heddle_cancel_state = state;
  if (old) HEDDLE_PLAIN(store_int)(old, before);
  act_if_asynchronous();
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  int before = __heddle_cancel_type;
  __heddle_cancel_type = type;
  if (old) HEDDLE_PLAIN(store_int)(old, before);
  act_if_asynchronous();
  return 0;
}
