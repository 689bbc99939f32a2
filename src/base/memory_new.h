// Libraries in C++ throw when memory is refused, which ends a process of C with a message that says nothing.
#ifndef HEDDLE_BASE_MEMORY_NEW_H
#define HEDDLE_BASE_MEMORY_NEW_H

#ifdef __cplusplus
extern "C" {
#endif

// From now on the operator `new` ends this process as memory_exhausted does, without a message, instead of throwing.
void memory_guard_new(void);

#ifdef __cplusplus
}
#endif

#endif
