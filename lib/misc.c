// Functions about the process that belong to no other file. (Its environment is in environment.c.)
//
// The functions below that start processes, change the address space or handle signals in ways that signals.c does not
// know end with UNKNOWN.
#include "heddle.h"

#include <stdarg.h>

#define UNMODELLED(type, name, parameters)                                                                             \
  type name parameters { __heddle_unmodelled(#name); }

UNMODELLED(int, pthread_sigqueue, (unsigned long thread, int number, long value))
UNMODELLED(int, sigqueue, (int process, int number, long value))
UNMODELLED(int, killpg, (int group, int number))
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
UNMODELLED(void *, sbrk, (long increment))
UNMODELLED(int, brk, (void *end))
UNMODELLED(void *, dlopen, (const char *file, int flags))
UNMODELLED(void *, dlsym, (void *handle, const char *name))
UNMODELLED(int, getcontext, (void *context))
UNMODELLED(int, setcontext, (const void *context))
UNMODELLED(int, swapcontext, (void *old, const void *context))
UNMODELLED(void, makecontext, (void *context, void (*routine)(void), int count, ...))
