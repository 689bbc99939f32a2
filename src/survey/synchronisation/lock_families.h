// Lock functions come in families, each for one type of lock: mutexes, read-write locks, spin locks, mutexes of C11,
// semaphores.
//
// A function that gets a lock of another type need not lock anything. So no call is relied on of which the address may
// be got by a function of another family. (That a semaphore may be where a lock is matters to the semaphore only: what
// a program locks is a lock.)
//
// Direction of the fact: that a call may be mixed is may-add.
#ifndef HEDDLE_SURVEY_SYNCHRONISATION_LOCK_FAMILIES_H
#define HEDDLE_SURVEY_SYNCHRONISATION_LOCK_FAMILIES_H

#include "survey/threads/call_targets.h"

typedef struct LockFamilies {
  Bitset mixed; // statements
} LockFamilies;

void lock_families_init(LockFamilies *families, const Code *code, const Pointing *pointing, const Calls *calls,
                        Account *account);
void lock_families_free(LockFamilies *families);
static inline bool lock_families_mixed(const LockFamilies *families, uint32_t statement) {
  return bitset_get(&families->mixed, statement);
}

#endif
