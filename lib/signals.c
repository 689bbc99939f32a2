// Signals: handlers, masks, sending.
//
// A handler runs on top of a thread, at any point of it: the front end makes a copy of __heddle_deliver for each
// thread and each signal that may get a handler, and a pass puts it where it may run (program/passes/interrupts.c). It
// runs if the thread does not block the signal, and the signal came from outside (anything with a handler may come at
// any time, any number of times, to any thread) or was sent by the program.
//
// Exact: dispositions, masks, inherited by new threads; a signal is blocked while its handler runs, with those of
// sa_mask; SA_RESETHAND, SA_RESTART, SA_SIGINFO (si_signo; the rest is any value); raise and pthread_kill go to one
// thread, kill to any one that accepts it; a signal that a thread sends to itself is delivered before the call returns;
// blocked signals stay pending, once each. Without a handler, a signal from outside ends the process or does nothing:
// both can happen to any program, and need no model; one that the program sends does what it does by default.
//
// Assumed: the process starts with the default dispositions and nothing blocked; a fault (SIGSEGV and the like) ends
// the execution, and its handler does not run. Unknown: SA_NODEFER (but for handlers that are reset), SA_NOCLDWAIT, a
// handler that unblocks its own signal, stopping the process, real-time signals sent by the program (they queue), a
// jump out of a handler.
#include "signals.h"
#include "cancel.h"
#include "timing.h"
#include "user_data.h"

#include <ucontext.h>

struct heddle_action __heddle_signal_action[HEDDLE_SIGNALS + 1] = {0};
unsigned long long __heddle_process_pending = 0;
_Thread_local int __heddle_handled = 0;
static _Thread_local unsigned long long handling = 0; // the signals whose handlers this thread is in

static int is_handler(void *handler) { return (unsigned long)handler > 1; }

static int fail(int code) {
  errno = code;
  return -1;
}

// --- delivery ---

// Accepts a pending signal; without `outside` it must be pending. Inside a section.
static void accept_sent(int outside, unsigned long long bit) {
  struct heddle_thread *self = __heddle_self();
  unsigned long long own = self->pending;
  if (own & bit) {
    self->pending = own & ~bit;
    return;
  }
  unsigned long long all = __heddle_process_pending;
  if (!outside) __heddle_only_if((all & bit) != 0);
  if (all & bit) __heddle_process_pending = all & ~bit;
}

static void run(void *handler, int number, int flags, unsigned long long accepted) {
  siginfo_t info;
  ucontext_t context;
  unsigned long long before = 0;
  if (__heddle_uses_masks()) {
    before = handling;
    handling = before | signal_bit(number);
  }
  __heddle_run_handler(handler, number, &info, &context);
  __heddle_leave_handler();
  __heddle_atomic_begin();
  if (__heddle_uses_masks()) handling = before;
  __heddle_self()->accepted = accepted;
  __heddle_handled |= flags & SA_RESTART ? HANDLED_ANY : HANDLED_ANY | HANDLED_NO_RESTART;
  __heddle_atomic_end();
}

void __heddle_deliver(int outside, int number) {
  struct heddle_action *action = &__heddle_signal_action[number];
  struct heddle_thread *self = __heddle_self();
  unsigned long long bit = signal_bit(number);
  __heddle_atomic_begin();
  void *handler = action->handler;
  __heddle_only_if(is_handler(handler));
  unsigned long long accepted = self->accepted;
  __heddle_only_if((accepted & bit) != 0);
  if (__heddle_uses_senders()) accept_sent(outside, bit);
  int flags = action->flags;
  self->accepted = accepted & ~(bit | action->mask);
  if (flags & SA_RESETHAND) action->handler = SIG_DFL;
  __heddle_atomic_end();
  run(handler, number, flags, accepted);
}

// The same for a program that installs handlers for signals whose numbers are not constant.
void __heddle_deliver_any(int outside) {
  struct heddle_thread *self = __heddle_self();
  __heddle_atomic_begin();
  int number = 1 + (int)__heddle_fresh_bits_6();
  unsigned long long bit = signal_bit(number);
  unsigned long long faults = signal_bit(SIGILL) | signal_bit(SIGTRAP) | signal_bit(SIGBUS) | signal_bit(SIGFPE) |
                              signal_bit(SIGSEGV) | signal_bit(SIGSYS);
  struct heddle_action *action = &__heddle_signal_action[number];
  void *handler = action->handler;
  __heddle_only_if(is_handler(handler));
  unsigned long long accepted = self->accepted;
  __heddle_only_if((accepted & bit) != 0);
  if (__heddle_uses_senders())
    accept_sent(outside && !(faults & bit), bit);
  else
    __heddle_only_if((faults & bit) == 0);
  int flags = action->flags;
  self->accepted = accepted & ~(bit | action->mask);
  if (flags & SA_RESETHAND) action->handler = SIG_DFL;
  __heddle_atomic_end();
  run(handler, number, flags, accepted);
}

// --- dispositions ---

static void *HEDDLE_PLAIN(read_handler)(const struct sigaction *action) { return (void *)action->sa_handler; }
static int HEDDLE_PLAIN(read_flags)(const struct sigaction *action) { return action->sa_flags; }
static unsigned long long HEDDLE_PLAIN(read_set)(const sigset_t *set) { return *(const unsigned long long *)set; }
static void HEDDLE_PLAIN(write_set)(sigset_t *set, unsigned long long value) { *(unsigned long long *)set = value; }

static void HEDDLE_PLAIN(write_action)(struct sigaction *action, void *handler, unsigned long long mask, int flags) {
  action->sa_handler = (void (*)(int))handler;
  *(unsigned long long *)&action->sa_mask = mask;
  action->sa_flags = flags;
}

// A handler that is reset by its first signal may have been reset at any time.
static void *handler_now(void *handler, int flags) {
  return is_handler(handler) && (flags & SA_RESETHAND) && __heddle_fresh_bool() ? NULL : handler;
}

// A handler of System V (SA_RESETHAND and SA_NODEFER) is reset when it begins to run: another signal ends the process,
// which is left out, unless a handler was installed again meanwhile.
static void check_install(int number, void *handler, int flags) {
  if (flags & SA_NOCLDWAIT) __heddle_unmodelled("SA_NOCLDWAIT");
  if ((flags & SA_NODEFER) && !(flags & SA_RESETHAND)) __heddle_unmodelled("SA_NODEFER");
  const struct heddle_action *action = &__heddle_signal_action[number];
  if ((action->flags & SA_NODEFER) && action->handler == NULL && is_handler(handler))
    __heddle_unmodelled(
        "a handler that is installed again while one for the same signal may run, which does not block it");
  __heddle_installs(number, handler);
}

int sigaction(int number, const struct sigaction *wanted, struct sigaction *old) {
  if (number < 1 || number > HEDDLE_SIGNALS) return fail(EINVAL);
  if (wanted && (number == SIGKILL || number == SIGSTOP)) return fail(EINVAL);
  struct heddle_action *action = &__heddle_signal_action[number];
  void *handler = NULL;
  unsigned long long mask = 0;
  int flags = 0;
  if (wanted) {
    handler = HEDDLE_PLAIN(read_handler)(wanted);
    mask = HEDDLE_PLAIN(read_set)(&wanted->sa_mask);
    flags = HEDDLE_PLAIN(read_flags)(wanted);
    check_install(number, handler, flags);
  }
  __heddle_atomic_begin();
  void *old_handler = action->handler;
  unsigned long long old_mask = action->mask;
  int old_flags = action->flags;
  if (wanted) {
    action->handler = handler;
    action->mask = mask;
    action->flags = flags;
  }
  __heddle_atomic_end();
  if (old) __heddle_leaves_out("a signal is ignored when the program starts");
  if (old) HEDDLE_PLAIN(write_action)(old, handler_now(old_handler, old_flags), old_mask, old_flags);
  return 0;
}

static void *install(int number, void *handler, int new_flags, unsigned long long mask) {
  if (number < 1 || number > HEDDLE_SIGNALS || number == SIGKILL || number == SIGSTOP) {
    errno = EINVAL;
    return (void *)SIG_ERR;
  }
  struct heddle_action *action = &__heddle_signal_action[number];
  check_install(number, handler, new_flags);
  __heddle_atomic_begin();
  void *before = action->handler;
  int flags = action->flags;
  action->handler = handler;
  action->mask = mask;
  action->flags = new_flags;
  __heddle_atomic_end();
  return handler_now(before, flags);
}

void (*signal(int number, void (*handler)(int)))(int) {
  return (void (*)(int))install(number, (void *)handler, SA_RESTART, signal_bit(number));
}

// What signal() means where the program asks for no extensions (-std=c99 and the like).
void (*sysv_signal(int number, void (*handler)(int)))(int) {
  int flags = is_handler((void *)handler) ? SA_RESETHAND | SA_NODEFER : 0;
  return (void (*)(int))install(number, (void *)handler, flags, 0);
}

void (*__sysv_signal(int number, void (*handler)(int)))(int) { return sysv_signal(number, handler); }

void (*bsd_signal(int number, void (*handler)(int)))(int) { return signal(number, handler); }
void (*ssignal(int number, void (*handler)(int)))(int) { return signal(number, handler); }

int siginterrupt(int number, int interrupts) {
  if (number < 1 || number > HEDDLE_SIGNALS) return fail(EINVAL);
  struct heddle_action *action = &__heddle_signal_action[number];
  __heddle_atomic_begin();
  action->flags = interrupts ? action->flags & ~SA_RESTART : action->flags | SA_RESTART;
  __heddle_atomic_end();
  return 0;
}

int sigaltstack(const stack_t *stack, stack_t *old) { return 0; }

// --- sending ---

// The default effect of a signal without a handler. Inside a section, or not.
static void by_default(int number) {
  if (number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT) return;
  if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU)
    __heddle_unmodelled("stopping the process by a signal");
  __heddle_halt();
}

static int is_sendable(int number) {
  if (number > HEDDLE_FIRST_REAL_TIME) __heddle_unmodelled("sending a real-time signal");
  return number >= 0 && number <= HEDDLE_SIGNALS;
}

// While a System V handler runs, its signal is not really blocked.
static void check_blocked(const struct heddle_action *action, int accepted) {
  if (!accepted && action->handler == NULL && (action->flags & SA_NODEFER))
    __heddle_unmodelled("a signal that is sent while a handler runs that was reset and does not block it");
}

// Sends a signal to one thread, which accepts it or not.
static void send_to(struct heddle_thread *thread, int number) {
  unsigned long long bit = signal_bit(number);
  __heddle_atomic_begin();
  void *handler = __heddle_signal_action[number].handler;
  int accepted = (thread->accepted & bit) != 0;
  check_blocked(&__heddle_signal_action[number], accepted);
  if (is_handler(handler) || !accepted)
    thread->pending |= bit;
  else if (handler == NULL)
    by_default(number);
  __heddle_atomic_end();
}

// A signal that a thread sends to itself, or stops blocking, is delivered before the thread continues: it waits until
// then.
static void await_delivery(unsigned long long set) {
  struct heddle_thread *self = __heddle_self();
  __heddle_atomic_begin();
  __heddle_await((self->pending & self->accepted & set) == 0);
  __heddle_atomic_end();
}

int raise(int number) {
  if (!is_sendable(number) || number == 0) return number == 0 ? 0 : fail(EINVAL);
  send_to(__heddle_self(), number);
  await_delivery(signal_bit(number));
  return 0;
}

int gsignal(int number) { return raise(number); }

int pthread_kill(pthread_t handle, int number) {
  struct heddle_thread *thread = (struct heddle_thread *)handle;
  if (!is_sendable(number)) return EINVAL;
  if (number == 0) return 0;
  send_to(thread, number);
  if (thread == __heddle_self()) await_delivery(signal_bit(number));
  return 0;
}

static void send_to_process(int number) {
  unsigned long long bit = signal_bit(number);
  struct heddle_thread *self = __heddle_self();
  __heddle_atomic_begin();
  void *handler = __heddle_signal_action[number].handler;
  int own = (self->accepted & bit) != 0, accepted = own | __heddle_others_accept(bit);
  check_blocked(&__heddle_signal_action[number], own);
  if (is_handler(handler) || !accepted)
    __heddle_process_pending |= bit;
  else if (handler == NULL)
    by_default(number);
  __heddle_atomic_end();
  if (!own) return;
  // No other thread can accept it: then this thread does, before it continues.
  __heddle_atomic_begin();
  __heddle_await((__heddle_process_pending & self->accepted & bit) == 0 || __heddle_others_accept(bit));
  __heddle_atomic_end();
}

int getpid(void);

// 0 and a negative number name process groups; that of the process itself is not known.
int kill(pid_t process, int number) {
  if (!is_sendable(number)) return fail(EINVAL);
  if (process == 0 || process == getpid()) {
    if (number == SIGKILL) __heddle_halt();
    if (number != 0) send_to_process(number);
    return 0;
  }
  if (process < 0) __heddle_unmodelled("kill of a process group");
  return __heddle_fresh_bool() ? 0 : fail(ESRCH);
}

// abort unblocks SIGABRT, lets its handler run, and ends the process when that returns.
_Noreturn void __heddle_abort(void) {
  struct heddle_thread *self = __heddle_self();
  unsigned long long bit = signal_bit(SIGABRT);
  __heddle_atomic_begin();
  if (is_handler(__heddle_signal_action[SIGABRT].handler)) {
    self->accepted |= bit;
    self->pending |= bit;
  }
  __heddle_atomic_end();
  await_delivery(bit);
  __heddle_halt();
}

// --- masks ---

// Pending signals that the thread no longer blocks and that have no handler have their default effect.
static void settle_pending(void) {
  struct heddle_thread *self = __heddle_self();
  __heddle_atomic_begin();
  unsigned long long due = (self->pending | __heddle_process_pending) & self->accepted;
  for (int number = 1; due != 0; number++, due >>= 1) {
    if (!(due & 1)) continue;
    void *handler = __heddle_signal_action[number].handler;
    if (is_handler(handler)) continue;
    if (handler == NULL) by_default(number);
    self->pending &= ~signal_bit(number);
    __heddle_process_pending &= ~signal_bit(number);
  }
  __heddle_atomic_end();
}

static void accept_only(unsigned long long accepted) {
  struct heddle_thread *self = __heddle_self();
  if (accepted & ~self->accepted & handling) __heddle_unmodelled("a handler that unblocks its own signal");
  self->accepted = accepted;
  if (!__heddle_uses_senders()) return;
  settle_pending();
  __heddle_atomic_begin();
  // At least one is delivered before the call returns; another thread may take what is pending for the process.
  __heddle_await((self->pending & self->accepted) == 0);
  __heddle_await((__heddle_process_pending & self->accepted) == 0 ||
                 __heddle_others_accept(__heddle_process_pending & self->accepted));
  __heddle_atomic_end();
}

enum { UNBLOCKABLE = 1 << (SIGKILL - 1) | 1 << (SIGSTOP - 1) };

static int change_mask(int how, const sigset_t *set, sigset_t *old) {
  unsigned long long before = __heddle_self()->accepted, wanted = 0;
  if (set) {
    wanted = HEDDLE_PLAIN(read_set)(set) & ~(unsigned long long)UNBLOCKABLE;
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
  }
  if (old) HEDDLE_PLAIN(write_set)(old, ~before);
  if (!set) return 0;
  accept_only(how == SIG_BLOCK ? before & ~wanted : how == SIG_UNBLOCK ? before | wanted : ~wanted);
  return 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) { return change_mask(how, set, old); }

int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
  int error = change_mask(how, set, old);
  return error ? fail(error) : 0;
}

// --- waiting for signals ---

// Not a deadlock: the environment may send a signal, or end the process by one.
static void wait_for_handler(void) {
  int cancelled = 0;
  if (__heddle_uses_cancelling()) cancelled = cancel_requested();
  __heddle_assume((__heddle_handled != 0) | cancelled);
}

// In a program that sends signals it is a guess that the handler has run for one from outside (see take_signal).
static void guess_the_sender(void) {
  if (__heddle_uses_senders()) __heddle_assume(__heddle_guess_course());
}

int pause(void) {
  __heddle_handled = 0;
  __heddle_atomic_begin();
  wait_for_handler();
  __heddle_atomic_end();
  guess_the_sender();
  if (__heddle_uses_cancelling()) __heddle_cancellation_point();
  return fail(EINTR);
}

int sigsuspend(const sigset_t *set) {
  struct heddle_thread *self = __heddle_self();
  unsigned long long before = self->accepted;
  unsigned long long blocked = HEDDLE_PLAIN(read_set)(set) & ~(unsigned long long)UNBLOCKABLE;
  if (~blocked & ~before & handling) __heddle_unmodelled("a handler that unblocks its own signal");
  __heddle_handled = 0;
  self->accepted = ~blocked;
  if (__heddle_uses_senders()) settle_pending();
  __heddle_atomic_begin();
  wait_for_handler();
  self->accepted = before;
  __heddle_atomic_end();
  guess_the_sender();
  if (__heddle_uses_cancelling()) __heddle_cancellation_point();
  return fail(EINTR);
}

// Any signal of the set may come from outside; those of the program are taken from where they are pending. In a program
// that sends signals it is a guess that one comes from outside: a thread that waits may wait for what another one does
// first. What does not name a member stands for the lowest one.
static int take_signal(unsigned long long set) {
  struct heddle_thread *self = __heddle_self();
  int number = 1 + (int)__heddle_fresh_bits_6();
  if (!(set & signal_bit(number))) number = 1 + __builtin_ctzll(set);
  unsigned long long bit = signal_bit(number);
  if (!__heddle_uses_senders()) return number;
  __heddle_atomic_begin();
  int sent = ((self->pending | __heddle_process_pending) & bit) != 0;
  if (self->pending & bit)
    self->pending &= ~bit;
  else
    __heddle_process_pending &= ~bit;
  __heddle_atomic_end();
  if (!sent) __heddle_assume(__heddle_guess_course());
  return number;
}

int sigwait(const sigset_t *set, int *number) {
  unsigned long long wanted = HEDDLE_PLAIN(read_set)(set);
  if (wanted == 0) __heddle_block();
  HEDDLE_PLAIN(store_int)(number, take_signal(wanted));
  return 0;
}

// Only si_signo of the information says more than "any value".
static void HEDDLE_PLAIN(write_info)(siginfo_t *info, int number) {
  siginfo_t any;
  any.si_signo = number;
  *info = any;
}

static int wait_for_info(const sigset_t *set, siginfo_t *info) {
  unsigned long long wanted = HEDDLE_PLAIN(read_set)(set);
  if (wanted == 0) __heddle_block();
  int number = take_signal(wanted);
  if (info) HEDDLE_PLAIN(write_info)(info, number);
  return number;
}

int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
  interruptible();
  if (was_interrupted(HANDLED_ANY)) return fail(EINTR);
  return wait_for_info(set, info);
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *limit) {
  if (limit && deadline_error(limit)) return fail(EINVAL);
  interruptible();
  if (was_interrupted(HANDLED_ANY)) return fail(EINTR);
  if (limit && __heddle_fresh_bool()) {
    struct timespec length = HEDDLE_PLAIN(load_time)(limit);
    if (__heddle_clocks_matter) __heddle_waited_for(length.tv_sec, length.tv_nsec);
    return fail(EAGAIN);
  }
  return wait_for_info(set, info);
}

// A blocked signal may have come from outside; it then stays pending until it is accepted.
int sigpending(sigset_t *set) {
  struct heddle_thread *self = __heddle_self();
  unsigned long long sent = self->pending | __heddle_process_pending;
  if (~self->accepted & ~(unsigned long long)UNBLOCKABLE) __heddle_unmodelled("sigpending while signals are blocked");
  HEDDLE_PLAIN(write_set)(set, sent);
  return 0;
}
