// What the process is to the system. (The variables of its environment are in environment.c.)
//
// getenv: the variable is not set, or the answer is UNKNOWN (its text could be of any length). Process numbers are any
// positive value, unrelated from call to call. The functions below that start processes, change the address space or
// handle signals in ways that signals.c does not know end with UNKNOWN.
#include "heddle.h"

#include <stdarg.h>

static int any_positive(void) {
  int value = __heddle_fresh_int();
  return value > 0 ? value : 1;
}

int getpid(void) { return any_positive(); }
int getppid(void) { return any_positive(); }
int gettid(void) { return __heddle_self_number(); }
char *setlocale(int category, const char *name) { __heddle_unmodelled("setlocale"); }

#define UNMODELLED(type, name, parameters)                                                                             \
  type name parameters { __heddle_unmodelled(#name); }

UNMODELLED(int, pthread_sigqueue, (unsigned long thread, int number, long value))
UNMODELLED(int, sigqueue, (int process, int number, long value))
UNMODELLED(int, killpg, (int group, int number))
UNMODELLED(void *, __sysv_signal, (int number, void *handler))
UNMODELLED(void *, sysv_signal, (int number, void *handler))
UNMODELLED(void *, sigset, (int number, void *handler))
UNMODELLED(int, sighold, (int number))
UNMODELLED(int, sigrelse, (int number))
UNMODELLED(int, sigignore, (int number))
UNMODELLED(int, sigpause, (int number))
UNMODELLED(int, sigblock, (int mask))
UNMODELLED(int, sigsetmask, (int mask))
UNMODELLED(int, sigvec, (int number, const void *vector, void *old))
UNMODELLED(int, signalfd, (int descriptor, const void *set, int flags))
UNMODELLED(int, timer_create, (int clock, void *event, void *timer))
UNMODELLED(int, fork, (void))
UNMODELLED(int, vfork, (void))
UNMODELLED(int, execv, (const char *path, char *const *arguments))
UNMODELLED(int, execve, (const char *path, char *const *arguments, char *const *environment))
UNMODELLED(int, execvp, (const char *file, char *const *arguments))
UNMODELLED(int, execl, (const char *path, const char *argument, ...))
UNMODELLED(int, execlp, (const char *file, const char *argument, ...))
UNMODELLED(int, clone, (int (*routine)(void *), void *stack, int flags, void *argument, ...))
UNMODELLED(long, syscall, (long number, ...))
UNMODELLED(void *, mmap, (void *address, size_t bytes, int protection, int flags, int descriptor, long offset))
UNMODELLED(int, munmap, (void *address, size_t bytes))
UNMODELLED(void *, sbrk, (long increment))
UNMODELLED(int, brk, (void *end))
UNMODELLED(void *, dlopen, (const char *file, int flags))
UNMODELLED(void *, dlsym, (void *handle, const char *name))
UNMODELLED(int, getcontext, (void *context))
UNMODELLED(int, setcontext, (const void *context))
UNMODELLED(int, swapcontext, (void *old, const void *context))
UNMODELLED(void, makecontext, (void *context, void (*routine)(void), int count, ...))
