// What a thread may still touch as long as some other threads take no step.
//
// It includes what the threads do that it may still start, and the threads that these may start. A thread is started
// once, so only threads that are not started yet are among them. And it ends where the thread would have to take a lock
// that one of the threads that take no step holds (held_locks.h).
//
// A future depends on the location, on the threads that may be started and on the locks that cannot be taken. Few of
// these combinations occur, so futures are kept. Direction: may-add.
#ifndef HEDDLE_DEPENDENCE_FUTURES_H
#define HEDDLE_DEPENDENCE_FUTURES_H

#include "base/map.h"
#include "dependence/held_locks.h"
#include "dependence/may_touch.h"

typedef struct Futures {
  const MayTouch *touch; // with rows LATER_READS and LATER_WRITES, and `creates`
  const HeldLocks *locks;
  Map known;      // hash of a location, of the threads that may be started and of closed locks -> index in `rows`
  U64Vector rows; // of each future a row of what it reads, and then a row of what it writes
  Account *account;
} Futures;

// The two rows of a future; valid until the next one is asked for.
typedef struct Future {
  const uint64_t *reads, *writes;
} Future;

// `touch` and `locks` are of the same program and must outlive the futures.
void futures_init(Futures *futures, const MayTouch *touch, const HeldLocks *locks, Account *account);
void futures_free(Futures *futures);
// The future of a thread at `from`. `started`: the threads that have been started. `closed`: locks that it cannot take.
Future futures_of(Futures *futures, LocationId from, ThreadMask started, LockMask closed);

#endif
