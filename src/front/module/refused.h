// LLVM aborts with words of its own when memory is refused.
#ifndef HEDDLE_FRONT_MODULE_REFUSED_H
#define HEDDLE_FRONT_MODULE_REFUSED_H

#ifdef __cplusplus
extern "C" {
#endif

// From now on LLVM ends this process as memory_exhausted does, without a message, where it cannot get memory.
void refused_guard_llvm(void);

#ifdef __cplusplus
}
#endif

#endif
