// Exhaustive search: depth first over all states, with an explicit stack.
//
// Each state is expanded by a persistent set of threads (persistent_set.h) or, without reduction, by all enabled
// threads. Cycle proviso: if a successor of a state is on the stack, the state is expanded by all threads. So every
// cycle of the reduced graph contains a fully expanded state, and no thread is put off for ever.
//
// Sleep sets (Godefroid, chapter 5). A thread sleeps if its transition was explored at an ancestor and is independent
// of every transition taken since: its successors were visited from the ancestor. The store keeps, for each visited
// state, which threads of its persistent set slept. If the search arrives again and some of them do not sleep now, it
// explores those. A thread does not fall asleep if its transition led to no state, or to a state on the stack: the
// states behind it are then visited only through transitions of the other threads, so these must not rely on it (the
// ignoring problem).
//
// The search works on the mover's vector: it holds the state on top of the stack, and only the components that a
// transition may have changed (the globals' and the thread's) are stored and put back.
// After a violation the search can go on once the finding is settled in the mover's program (search_go_on). States that
// were expanded before stay expanded: settling takes executions away behind a step that fails (it disables its thread),
// so persistent sets stay persistent, and a set none of whose members can move any more is replaced by all threads; and
// it adds none but behind a check, where the footprints have counted them from the start. The transition that violated
// is made again.
#ifndef HEDDLE_EXPLICIT_SEARCH_H
#define HEDDLE_EXPLICIT_SEARCH_H

#include "base/budget.h"
#include "base/log.h"
#include "explicit/persistent_set.h"
#include "explicit/race.h"
#include "explicit/search_path.h"
#include "explicit/state_sources.h"
#include "explicit/store.h"
#include "explicit/symmetry.h"

typedef enum SearchEnd {
  SEARCH_COMPLETE,   // every state was visited
  SEARCH_VIOLATION,  // `path` leads to one
  SEARCH_STOPPED,    // by the budget
  SEARCH_PAUSED,     // the states asked for were visited; search_run goes on
  SEARCH_GAVE_UP,    // values were sampled, so it cannot become a proof, and its share of the time is over
  SEARCH_LIMIT,      // max_states
  SEARCH_TOLD_APART, // main tells threads apart that were exchanged (symmetry.h): start again with more care
  SEARCH_GROWS       // a cut was met that a larger program would not have
} SearchEnd;

typedef struct SearchStatistics {
  uint64_t states, transitions, revisits, max_depth, single; // single: states expanded by one of several threads
  uint64_t full;                                             // states expanded by all threads because of the proviso
  uint64_t woken; // arrivals at a visited state that found a thread awake which had slept
} SearchStatistics;

typedef struct Frame {
  StateId state;
  uint64_t enabled;
  uint64_t todo, explored;           // threads still to be explored, and those begun or done
  uint64_t sleep;                    // threads that sleep here
  uint64_t child_sleep;              // threads that sleep behind the transition being explored
  uint64_t moved;                    // explored threads of which some transition led to a state
  uint64_t cycling;                  // and those of which one led back to the stack
  ThreadId thread;                   // being explored, or NO_ID
  uint32_t first_digit, digit_count; // of the transition being explored
  bool reduced;                      // not all enabled threads are to be explored
  bool progressed;                   // some transition led somewhere
  bool cycle;                        // some transition led back to the stack
  bool again;                        // the state was visited before: only threads that slept then are explored
  bool was_on_stack;                 // it is on the stack below, too
} Frame;
VECTOR(FrameVector, Frame);

// With symmetry, what belongs to a frame besides.
typedef struct FrameExchange {
  Exchange arrival;    // what was done to its state
  ThreadMask joined;   // the transition being explored joins all of these,
  uint32_t join_moves; // in so many moves of main; 0: it is one move
} FrameExchange;
VECTOR(FrameExchangeVector, FrameExchange);

typedef struct Search {
  Mover *mover;
  Property property;
  bool reduce, sleeps;
  uint64_t max_states; // 0: none
  Budget *budget;
  Log *log;
  StateStore store;
  FrameVector frames;
  Symmetry *symmetry;            // NULL: equal threads are not exchanged
  FrameExchangeVector exchanges; // with `symmetry`: one for each frame
  Exchange arrival;              // what was done to the state that is pushed next
  uint32_t *tuple;               // scratch
  RaceCheck races;
  Path *path;
  SearchStatistics statistics;
  StateSources sources;
  SampledChoices sampled;
  double sampled_until; // when to give up if something was sampled, on clock_now's clock; 0: never
  size_t told;          // sampled choices before this one have been reported, or need not be
  unsigned notes;       // so many may still be reported
  unsigned growing;     // cuts (bits 1 << CutKind) that a larger program would not have; set by the caller
  double grow_at;       // when to stop if one of them was met; calls that are not inlined stop it soon in any case
  const bool *also_met; // cuts that another search has met; set by the caller, may be NULL
  bool found;           // a violation was found
  bool repeats;         // the transition of the top frame is to be made again
  double seconds;       // spent so far
  Account *account;
} Search;

// Without `reduce`, all enabled threads are expanded at each state; `sleeps` adds sleep sets to either. Symmetry is not
// used unless search_exchange is called before the first run.
void search_init(Search *search, Mover *mover, bool reduce, bool sleeps, uint64_t max_states, Budget *budget, Log *log,
                 Path *path, Account *account);
void search_free(Search *search);
// Exchanges equal threads; not together with sleep sets. `symmetry` is not owned.
void search_exchange(Search *search, Symmetry *symmetry);
// Starts or goes on, until there are `pause_at` states (0: to the end). The mover is the search's own until it is over.
SearchEnd search_run(Search *search, uint64_t pause_at);
// After SEARCH_VIOLATION, and after what was found has been settled: the next search_run goes on.
void search_go_on(Search *search);
// Was a cut met that a larger program would not have? Calls that are not inlined count at once, other cuts only after
// `grow_at`.
bool search_should_grow(const Search *search);

#endif
