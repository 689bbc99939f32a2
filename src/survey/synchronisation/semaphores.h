// Semaphores that are used as locks.
//
// A semaphore that begins with the value 1, and that every thread posts only after it has waited for it, is a lock: its
// value and the number of threads that have it are 1 together. Each call that may refer to it must refer to it surely,
// and no other code may know it.
//
// That every thread posts what it has is first supposed. The flow of facts then follows these semaphores like mutexes,
// and finds the posts of threads that do not surely have them: these semaphores are dropped, and the flow begins again.
//
// Direction of the fact: must.
#ifndef HEDDLE_SURVEY_SYNCHRONISATION_SEMAPHORES_H
#define HEDDLE_SURVEY_SYNCHRONISATION_SEMAPHORES_H

#include "survey/synchronisation/lock_families.h"

typedef struct Semaphores {
  Bitset calls; // statements that wait for, or post, a semaphore that is a lock
} Semaphores;

void semaphores_init(Semaphores *semaphores, const Code *code, const Pointing *pointing, Calls *calls,
                     Account *account);
void semaphores_free(Semaphores *semaphores);
static inline bool semaphores_is_lock(const Semaphores *semaphores, uint32_t statement) {
  return bitset_get(&semaphores->calls, statement);
}
bool semaphores_posts(const Calls *calls, uint32_t statement);
// The semaphore of the post is none: all calls on it are dropped.
void semaphores_drop(Semaphores *semaphores, const Code *code, const Pointing *pointing, uint32_t post);

#endif
