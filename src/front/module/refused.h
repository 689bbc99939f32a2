// What happens when LLVM cannot get memory.
#ifndef HEDDLE_FRONT_MODULE_REFUSED_H
#define HEDDLE_FRONT_MODULE_REFUSED_H

#ifdef __cplusplus
extern "C" {
#endif

// From now on, where LLVM cannot get memory, it ends this process as memory_exhausted does, without a message of its
// own.
void refused_guard_llvm(void);

#ifdef __cplusplus
}
#endif

#endif
