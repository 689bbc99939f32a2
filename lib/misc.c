// The environment of the process.
//
// getenv: the variable is not set, or the answer is UNKNOWN (its text could be of any length). Signals are assumed not
// to arrive: blocking them is accepted, while installing a handler, sending a signal and waiting for one end with
// UNKNOWN, as do the functions below that start processes or change the address space.
#include "heddle.h"

#include <stdarg.h>

char *getenv(const char *name) {
  if (__heddle_fresh_bool()) __heddle_unmodelled("getenv");
  return NULL;
}

char *secure_getenv(const char *name) { return getenv(name); }

// Handlers: 0 is SIG_DFL, 1 is SIG_IGN.
void (*signal(int number, void (*handler)(int)))(int) {
  if (handler != (void (*)(int))0 && handler != (void (*)(int))1) __heddle_unmodelled("signal handlers");
  return (void (*)(int))0;
}

int sigemptyset(void *set) { return 0; }
int sigfillset(void *set) { return 0; }
int sigaddset(void *set, int number) { return 0; }
int sigdelset(void *set, int number) { return 0; }
int sigprocmask(int how, const void *set, void *old) { return 0; }
int pthread_sigmask(int how, const void *set, void *old) { return 0; }
unsigned alarm(unsigned seconds) { return seconds != 0 ? (__heddle_unmodelled("alarm"), 0) : 0; }

#define UNMODELLED(type, name, parameters)                                                                             \
  type name parameters { __heddle_unmodelled(#name); }

UNMODELLED(int, sigaction, (int number, const void *action, void *old))
UNMODELLED(int, sigwait, (const void *set, int *number))
UNMODELLED(int, sigwaitinfo, (const void *set, void *info))
UNMODELLED(int, sigsuspend, (const void *set))
UNMODELLED(int, sigpending, (void *set))
UNMODELLED(int, sigismember, (const void *set, int number))
UNMODELLED(int, pause, (void))
UNMODELLED(int, raise, (int number))
UNMODELLED(int, kill, (int process, int number))
UNMODELLED(int, pthread_kill, (unsigned long thread, int number))
UNMODELLED(int, pthread_sigqueue, (unsigned long thread, int number, long value))
UNMODELLED(int, fork, (void))
UNMODELLED(int, vfork, (void))
UNMODELLED(int, execv, (const char *path, char *const *arguments))
UNMODELLED(int, execve, (const char *path, char *const *arguments, char *const *environment))
UNMODELLED(int, execvp, (const char *file, char *const *arguments))
UNMODELLED(int, execl, (const char *path, const char *argument, ...))
UNMODELLED(int, execlp, (const char *file, const char *argument, ...))
UNMODELLED(int, clone, (int (*routine)(void *), void *stack, int flags, void *argument, ...))
UNMODELLED(void *, sbrk, (long increment))
UNMODELLED(int, brk, (void *end))
UNMODELLED(void *, dlopen, (const char *file, int flags))
UNMODELLED(void *, dlsym, (void *handle, const char *name))
UNMODELLED(int, getcontext, (void *context))
UNMODELLED(int, setcontext, (const void *context))
UNMODELLED(int, swapcontext, (void *old, const void *context))
UNMODELLED(void, makecontext, (void *context, void (*routine)(void), int count, ...))
