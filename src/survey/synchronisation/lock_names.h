// Names of locks: what is in the sets of surely-held locks.
//
// A lock that exists at most once is named by its place. Another one is named by a register that holds its address,
// less an offset: such a name means something only inside one activation of the register's function, and only until
// the register gets another value.
//
// Direction of the facts: that a named lock is the one that an operand refers to is must; that an operand may refer to
// a named lock is may.
#ifndef HEDDLE_SURVEY_SYNCHRONISATION_LOCK_NAMES_H
#define HEDDLE_SURVEY_SYNCHRONISATION_LOCK_NAMES_H

#include "survey/sets.h"
#include "survey/threads/call_targets.h"

typedef enum LockKind {
  LOCK_SECTION,  // not a lock: between __VERIFIER_atomic_begin and __VERIFIER_atomic_end
  LOCK_PLACE,    // at `offset` in area `id`, which has one instance at most
  LOCK_RELATIVE, // at `offset` from the address in register `id`
  LOCK_TRIED,    // the lock whose number is `offset` is held if register `id` is 0
  LOCK_OWN,      // of races.h: in area `id`, `offset` bytes after what is accessed begins (see accesses.c)
  LOCK_ONE,      // of may_held.h: at most one lock of the node `id`
  LOCK_SOME      // of may_held.h: any number of locks of the node `id`
} LockKind;

typedef struct Lock {
  LockKind kind;
  bool shared; // the side of readers
  uint32_t id;
  uint32_t stride; // LOCK_OWN: of the elements that each have such a lock; 0: the area is one
  int64_t offset, base;
} Lock;

typedef struct Locks Locks;
Locks *locks_new(const Code *code, const Pointing *pointing, Calls *calls, Account *account);
void locks_free(Locks *locks);

uint32_t locks_intern(Locks *locks, Lock lock);
const Lock *locks_at(const Locks *locks, uint32_t id); // valid until the next one is interned
uint32_t locks_other_side(Locks *locks, uint32_t id);  // the same lock, `shared` the other way

// An address as a register and an offset; NO_CODE_ID: it is not in a register.
typedef struct RootedAddress {
  uint32_t root;
  int64_t offset;
} RootedAddress;
RootedAddress locks_rooted(const Code *code, CodeOperand operand);

// The name of the lock whose address the operand is; NO_CODE_ID: it has none.
uint32_t locks_named(Locks *locks, CodeOperand operand, bool shared);
bool locks_may_be(const Locks *locks, uint32_t id, CodeOperand operand);
// What the lock is in: areas, as a range of places of a register or the one area of its place.
bool locks_may_be_in(const Locks *locks, uint32_t id, const NumberSets *sets, SetId areas);

#endif
