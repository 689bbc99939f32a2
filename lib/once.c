// pthread_once: exact. The first caller runs the routine; callers meanwhile wait until it has returned; a routine that
// calls pthread_once on its own control waits for ever. The control is 0 (new), 1 (running) or 2 (done).
#define _GNU_SOURCE
#include "heddle.h"

#include <pthread.h>
#include <threads.h>

static void run_once(int *control, void (*routine)(void)) {
  __heddle_atomic_begin();
  int state = *control;
  __heddle_await(state != 1);
  if (state == 0) *control = 1;
  __heddle_atomic_end();
  if (state != 0) return;
  routine();
  *control = 2;
}

int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  run_once(control, routine);
  return 0;
}

void call_once(once_flag *flag, void (*routine)(void)) { run_once(&flag->__data, routine); }
