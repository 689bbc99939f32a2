// Equal threads: which slots run the same code, so that their parts of a state may be exchanged.
//
// A slot is a copy of the code of a routine (program.h). Two slots are *equal* if the k-th location, edge and variable
// of one correspond to those of the other, and everything else is the same up to that renaming. What belongs to a slot
// may differ in two ways only:
//   - The address of an access may be that of an object of its own, in the other slot that of the corresponding object.
//     It may be the constant, or a sum with the constant as one part.
//   - A LOCK or TRYLOCK step may store the slot's number where the other stores its own.
// A thread that uses its own handle, number or the address of an object of its own as a value is thus not equal to any
// other: it is told apart. An argument is data in a cell and does not tell threads apart.
//
// What this gives. Let s be a state and let q exchange the contents of equal slots in s: locations, variables, cells of
// their own objects, and their numbers in the cells that are locks (`owners`). Then the step of a slot in s and the
// step of its image in q(s) lead to states that q maps to each other. No other value changes, because no other value
// depends on which slot runs the code. What the *creator* does is another matter: it knows handles. The engine has to
// make sure that the creator does not look at what was exchanged (explicit/symmetry.h).
//
// A *worker* is a slot that main creates, that creates no thread, and whose own objects no other thread touches, except
// that main touches the control block. Its writes to `status` and `ended` only say that it has finished. Only workers
// are equal to anything.
//
// An owner cell is one that holds slot numbers. All threads may compare it with constants that are no worker's number,
// and store such constants or, in LOCK and TRYLOCK, their own number; what they load from it they use in no other way.
// If some access does not keep to this, no two threads are equal.
//
// Direction: may-drop. Threads that are equal may not be found.
#ifndef HEDDLE_DEPENDENCE_EQUAL_THREADS_H
#define HEDDLE_DEPENDENCE_EQUAL_THREADS_H

#include "dependence/thread_set.h"
#include "program/facts/facts.h"

// The locations, edges or variables of each thread, in the order of their ids.
typedef struct ThreadLists {
  uint32_t *start; // per thread, and one more: its first entry in `ids`
  uint32_t *ids;
  uint32_t *rank; // of each id, in its thread
  size_t count;
} ThreadLists;

static inline uint32_t thread_list_count(const ThreadLists *lists, ThreadId t) {
  return lists->start[t + 1] - lists->start[t];
}
static inline uint32_t thread_list_at(const ThreadLists *lists, ThreadId t, uint32_t rank) {
  assert(rank < thread_list_count(lists, t));
  return lists->ids[lists->start[t] + rank];
}

typedef struct EqualThreads {
  const Program *program;
  ThreadMask workers;
  ThreadId like[MOST_MASKED_THREADS]; // the first thread that a worker is equal to, maybe itself; else NO_ID
  ThreadLists locations, edges, variables;
  U32Vector owners; // cells
  Account *account;
} EqualThreads;

// At most MOST_MASKED_THREADS threads. Joint edges are not compared. `live` is of the same program.
void equal_threads_init(EqualThreads *equal, const Program *program, const LiveVariables *live, Account *account);
void equal_threads_free(EqualThreads *equal);
// From now on no worker is equal to another one.
void equal_threads_forget(EqualThreads *equal);
bool equal_threads_any(const EqualThreads *equal);

// What corresponds in thread `to` to a cell that thread `from`, which is equal to it, touches.
CellId equal_cell(const EqualThreads *equal, CellId cell, ThreadId from, ThreadId to);

#endif
