// The state of signals. A set of signals is a word with bit n-1 for signal n.
//
// The signals that a thread does not block, and those sent to it, are in its control block (heddle.h). The code for
// signals is lowered only in programs that can install handlers or send signals.
#ifndef HEDDLE_LIB_SIGNALS_H
#define HEDDLE_LIB_SIGNALS_H

#define _GNU_SOURCE
#include "errors.h"
#include "heddle.h"

#include <signal.h>

enum { HEDDLE_SIGNALS = 64, HEDDLE_FIRST_REAL_TIME = 32 };

struct heddle_action {
  _Alignas(8) void *handler; // 0: SIG_DFL, 1: SIG_IGN
  _Alignas(8) unsigned long long mask;
  _Alignas(8) int flags;
};
extern struct heddle_action __heddle_signal_action[HEDDLE_SIGNALS + 1]; // by number
extern unsigned long long __heddle_process_pending;                     // sent to the process and not delivered yet

// Which handlers ran in this thread: a function that they may interrupt sets it to 0 first and reads it later.
enum { HANDLED_ANY = 1, HANDLED_NO_RESTART = 2 }; // the second: one installed without SA_RESTART
extern _Thread_local int __heddle_handled;

static inline unsigned long long signal_bit(int number) { return 1ull << (number - 1); }

// Called before and after the point at which a handler may interrupt the function.
static inline void interruptible(void) {
  if (__heddle_uses_handlers()) __heddle_handled = 0;
}
static inline int was_interrupted(int how) { return __heddle_uses_handlers() ? __heddle_handled & how : 0; }

#endif
