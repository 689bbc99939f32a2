// Symmetry: states that differ only in which of several equal threads has which part of the state are one state.
//
// Equal threads (dependence/equal_threads.h) run the same code. Main is the only thread that can tell them apart: it
// knows their handles. So the search may exchange the contents of equal threads as long as main does not look.
//
// The group G(s) of a state s are the workers that main has created and has not joined yet. Its subgroups are the
// threads that are equal and whose *fixed* cells have equal values. Fixed are the cells of a control block that its
// thread never writes (argument, detached, joined): they say what main did with the thread, and stay where they are.
// What is exchanged: the component of the thread, and the *moved* cells of its control block, which the thread writes
// (status, ended, result, where others touch them); and its number in owner cells. Let q be an exchange within the
// subgroups of G(s). Claim: s has a violation in its future if and only if q(s) has one.
//
//   - A step of a thread t other than main leads from s to s'. Its image leads from q(s) to q(s'), and the group is the
//     same there, because only main changes it.
//   - A step of main that touches no moved cell of G(s) is the same step in q(s). It may create a thread, which then
//     joins the group. If afterwards fixed cells differ of threads that were in one subgroup, main has told them apart.
//   - Joins. If main's next steps join all threads of G(s), one after the other, and do nothing else in between, they
//     are one step, which is enabled when all these threads have finished (join_ahead.h). It is sound to put off the
//     first join until the last is possible: main alone looks at what the joins look at, a finished thread does not
//     change it, and what the joins write only main reads. So the joins commute with all steps of other threads. If
//     main never gets through all joins, its first joins are left out of the execution; no race is among them (the
//     accesses of joins synchronise), and whatever else other threads do is done without them. Before the single step,
//     s and q(s) must have equal contents in each subgroup, so q(s) = s: main has told nothing apart.
//   - Any other step of main that touches a moved cell of a thread in G(s) tells threads apart.
//
// This must hold at every state that is visited, with the groups there. It is checked at each step of main. If it does
// not hold, main has told threads apart, and what was pruned before is not justified: the search is started again with
// a more careful view (SymmetryCare). In the second, threads are exchanged only while main stands before joins; the
// group is then the set of threads that it is about to join, and the claim rests on the third case alone. A violation
// that was found is real in any case: all steps on its path passed the checks, so the path with the exchanges undone is
// an execution.
//
// A deadlock while main stands before its joins: the state counts with main as waiting. The schedule lets main take the
// joins that are possible first.
//
// Twins. Threads of one subgroup with the same content lead to the same states, so one of them is explored.
//
// Together with persistent sets. The search visits representatives. A representative's persistent set is that of a
// reachable state up to renaming, and the argument of persistent_set.h is about the length of executions from a state,
// which is the same for states that an exchange maps to each other. The stack of the cycle proviso consists of
// representatives. (Emerson, Jha, Peled: Combining Partial Order and Symmetry Reductions.) While main waits for all
// threads of a set, no member of the set that has not finished conflicts with what main does later: as long as the
// member stands still, main does, too. Sleep sets are not combined with symmetry.
//
// Ownership: refers to the mover, which must outlive it. Limits: 64 threads; main creates all threads that are
// exchanged; at most MOST_OWNER_CELLS owner cells.
#ifndef HEDDLE_EXPLICIT_SYMMETRY_H
#define HEDDLE_EXPLICIT_SYMMETRY_H

#include "dependence/equal_threads.h"
#include "explicit/join_ahead.h"
#include "explicit/successors.h"

enum { MOST_OWNER_CELLS = 64 };

// How a search looks at main.
typedef enum SymmetryCare {
  SYMMETRY_EARLY, // threads are exchanged from their creation on
  SYMMETRY_LATE,  // only while main stands before joins
  SYMMETRY_NONE
} SymmetryCare;

// What was done to the vector: slot t has the content of slot from[t]. Slots that are not exchanged have their own.
typedef struct Exchange {
  uint8_t from[MOST_MASKED_THREADS];
} Exchange;

// What is known of main by its component: it determines which threads were joined.
typedef struct MainView {
  bool known;
  ThreadMask joined; // and not created again
  JoinAhead ahead;
} MainView;
VECTOR(MainViewVector, MainView);

typedef struct Symmetry {
  Mover *mover;
  SymmetryCare care;
  EqualThreads equal;
  ControlCells control; // of the workers
  U32Vector owners;     // offsets of owner cells
  MainViewVector mains; // per content of main's component
  uint32_t main;        // its content in the present state
  ThreadMask again;     // joined threads that main's last step has created again
  bool told_apart;
  ThreadMask twins[MOST_MASKED_THREADS]; // per thread: those with the same content, itself among them
  ThreadMask group;                      // of the present state, and the subgroups: their first threads
  ThreadId subgroup[MOST_MASKED_THREADS];
  size_t key_bytes;
  uint8_t *keys, *old; // scratch
  Account *account;
} Symmetry;

// False: no two threads are equal; the symmetry is not to be used, but has to be freed.
bool symmetry_init(Symmetry *symmetry, Mover *mover, SymmetryCare care, Account *account);
void symmetry_free(Symmetry *symmetry);

// The vector holds the initial state; `main`: the number of the content of main's component.
void symmetry_begin(Symmetry *symmetry, uint32_t main);
// The vector holds a state that was visited, with main's content `main`: it is the present state.
void symmetry_at(Symmetry *symmetry, uint32_t main);
// The joins that are one step of main in the present state.
static inline const JoinAhead *symmetry_joins(const Symmetry *symmetry) {
  return &symmetry->mains.data[symmetry->main].ahead;
}
// Those of them that have not finished, in the state in the vector.
ThreadMask symmetry_awaited(const Symmetry *symmetry);
// Before main takes all joins at once: are the contents equal in each subgroup? Else main tells threads apart.
void symmetry_before_joins(Symmetry *symmetry);
// Main has taken a step that is no such join from the present state: does it tell threads apart? The mover has logged
// its accesses.
void symmetry_after_main(Symmetry *symmetry);
// A transition of `thread` from the present state has led to the state in the vector; `joined`: it was all the joins;
// `main`: the content of main's component now. The vector is exchanged to the representative.
void symmetry_arrive(Symmetry *symmetry, ThreadId thread, bool joined, uint32_t main, Exchange *exchange);
// One thread of each set of twins in `threads`, one of `preferred` if possible.
ThreadMask symmetry_representatives(const Symmetry *symmetry, ThreadMask threads, ThreadMask preferred);

static inline Exchange exchange_none(void) {
  Exchange exchange;
  for (unsigned t = 0; t < MOST_MASKED_THREADS; t++) exchange.from[t] = (uint8_t)t;
  return exchange;
}

#endif
