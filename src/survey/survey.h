// A survey of a whole program: each shared object with what protects it, each lock order, each doubt.
//
// The stations, each a file with a header: code (front/code) -> pointing -> templates (which threads there may be) ->
// accesses (what touches what, with which locks, in which phase) -> races and lock orders -> survey (what this header
// describes).
//
// Direction of the facts: SURVEY_PROVED is must: no execution has a data race on the place (a deadlock by the order),
// on the survey's assumptions, which it lists. Everything else is may.
//
// Ownership: a Survey owns all it points to.
#ifndef HEDDLE_SURVEY_SURVEY_H
#define HEDDLE_SURVEY_SURVEY_H

#include "front/code/code.h"
#include "verdict/property.h"

typedef enum SurveyStatus {
  SURVEY_PROVED, // no race
  SURVEY_WARNED, // a pair of accesses may race: both are understood
  SURVEY_OPEN    // something about the object is not understood
} SurveyStatus;

// Why a place cannot race. One X-macro: name in JSON, words for people ("%s" is the detail).
#define SURVEY_PROTECTIONS(X)                                                                                          \
  X(LOCK, "lock", "mutex %s") /* every pair has a common lock */                                                       \
  X(READ_ONLY, "read-only", "never written")                                                                           \
  X(BEFORE_THREADS, "before-threads", "written before threads start")                                                  \
  X(ATOMIC, "atomic", "atomic accesses")                                                                               \
  X(OWNED, "owned", "owned by one thread until it is published")                                                       \
  X(ONE_THREAD, "one-thread", "touched by one thread")                                                                 \
  X(JOINED, "joined", "threads are joined before it is touched again")                                                 \
  X(OWN_LOCK, "own-lock", "lock %s of the same object") /* per-object lock */                                          \
  X(SEVERAL, "several", "%s")                           /* different pairs for different reasons */
typedef enum SurveyProtection {
#define X(id, name, text) SURVEY_##id,
  SURVEY_PROTECTIONS(X)
#undef X
} SurveyProtection;
const char *survey_protection_name(SurveyProtection protection);

// Why a place is open rather than proved or warned.
#define SURVEY_DOUBTS(X)                                                                                               \
  X(NONE, "none", "")                                                                                                  \
  X(OUTSIDE, "outside", "the undefined function %s may reach it")                                                      \
  X(ELSEWHERE, "elsewhere", "code outside of the program may reach it")                                                \
  X(LIBRARY, "library", "it belongs to the C library, which locks it or documents how to use it")                      \
  X(OPAQUE, "opaque", "%s is not understood")                                                                          \
  X(ADDRESS, "address", "a pointer that was not followed may refer to it")                                             \
  X(LOCK, "lock", "%s may be uninitialised, in reach of outside code, or unlocked by a thread that does not hold it")  \
  X(LIMIT, "limit", "the limit on %s was met")
typedef enum SurveyDoubt {
#define X(id, name, text) SURVEY_DOUBT_##id,
  SURVEY_DOUBTS(X)
#undef X
} SurveyDoubt;
const char *survey_doubt_name(SurveyDoubt doubt);
bool survey_doubt_is_outside(SurveyDoubt doubt); // it comes from code that was not seen: OUTSIDE, ELSEWHERE, LIBRARY

// An access of one statement, in one kind of thread.
typedef struct SurveyAccess {
  uint32_t statement;
  CodePosition position;
  const char *function; // that contains it
  const char *thread;   // "main", "worker (created in main.c:20)"
  bool writes, atomic, frees;
  const char *locks; // "queue.lock, stats_lock", in order of their names; "" is none
  const char *calls; // one way from the thread's routine: "worker > handle > enqueue"
} SurveyAccess;

typedef struct SurveyPair {
  SurveyAccess first, second;
  const char *reason;   // why it could not be excluded, one sentence
  const char *remedy;   // what would exclude it
  unsigned rank;        // higher first: how likely it is a bug
  uint64_t fingerprint; // the same as long as names, functions and kinds of access are: for baselines, without lines
} SurveyPair;
enum { SURVEY_RANK_SURE = 20 }; // from this rank on, the pointers of both accesses refer to few things

typedef struct SurveyObject {
  const char *name;      // "queue.head"
  CodePosition position; // of its declaration or allocation
  SurveyStatus status;
  SurveyProtection protection; // if proved
  const char *detail;          // the lock's name, or the sentence for SURVEY_SEVERAL
  SurveyDoubt doubt;           // if open
  const char *doubt_detail;
  uint32_t places;   // different source lines with an access
  uint32_t parts;    // that have this name, with the same answer
  SurveyPair *pairs; // if warned or open: by rank, at most SURVEY_MOST_PAIRS
  uint32_t pair_count, pairs_left_out;
} SurveyObject;
enum { SURVEY_MOST_PAIRS = 20 };

// Lock orders: each edge "second is taken while first is held"; each cycle of edges is a possible deadlock.
typedef struct SurveyLockStep {
  const char *held, *taken;
  const char *text; // what the thread does, in words; NULL: `taken` is taken while `held` is held
  SurveyAccess at;  // where `taken` is taken
} SurveyLockStep;

typedef enum SurveyLockKind {
  SURVEY_ORDER,
  SURVEY_CYCLE,
  SURVEY_TWICE,
  SURVEY_WAIT_HELD,
  SURVEY_JOIN_HELD,
  SURVEY_END_HELD // a thread ends with a lock held that others take
} SurveyLockKind;

typedef struct SurveyLockFinding {
  SurveyLockKind kind;
  SurveyStatus status; // an order that is in no cycle: proved. A cycle with a gate lock or in one thread: proved
  const char *detail;  // why
  SurveyLockStep *steps;
  uint32_t step_count;
  uint64_t fingerprint;
} SurveyLockFinding;

// Accesses by the code of the program (not by functions without a body): loads, stores, atomic accesses, both sides of
// copies, fills. Counted is what is sure of them; nothing is said of the others.
typedef struct SurveyDereferences {
  uint64_t by_name;     // of a variable or a part of it at a fixed place: nothing can go wrong. Not in the others
  uint64_t by_pointers; // all others
  uint64_t not_null;    // the pointer is the address of an object or a function: not NULL, no number, not indeterminate
  uint64_t not_freed;   // what it refers to, by addresses that were stored, lives: it is not freed, and has not ended
  uint64_t in_range;    // what is accessed is inside that object, and no constant is written
  uint64_t all;         // all three
} SurveyDereferences;

typedef struct SurveyFunction {
  const char *name;
  CodePosition position;
  SurveyDereferences dereferences;
  // Its lines with dereferences, each once: those on which all of them are surely all three, and the others. Lines
  // that call a function without a body, or through a pointer, are not among the excluded ones: such calls are not
  // looked at.
  CodePosition *excluded, *left;
  uint32_t excluded_count, left_count;
} SurveyFunction;

typedef struct SurveyTotals {
  uint64_t lines, functions, statements, shared_accesses, threads, proved, warned, open;
  SurveyDereferences dereferences;
} SurveyTotals;

typedef struct CallSummary CallSummary; // slices/call_summary.h

typedef struct Survey {
  Arena arena;
  // Warned by rank, then open, then proved, by name. Of the open ones, those that outside code may reach come last,
  // and those of the C library behind them.
  SurveyObject *objects;
  SurveyLockFinding *locks; // warned, then open, then proved
  const char **assumptions; // what proofs rest on
  uint32_t object_count, lock_count, assumption_count;
  SurveyFunction *functions; // those that some thread may run and that dereference something; not in the strict mode
  uint32_t function_count;
  SurveyTotals totals;
  const CallSummary *calls; // if it was asked for and the survey came so far; else NULL
  bool complete;            // false: a limit was met before all was looked at; nothing is proved then
  const char *incomplete_reason;
  bool built_format;   // of the strict mode: see formats.h
  bool sent_addresses; // of the strict mode: see sent_addresses.h
  bool unset_lock;     // of the strict mode: see synchronisation/doubtful_locks.h
} Survey;

typedef struct SurveyOptions {
  const char *const *entries; // functions that any number of threads call at the same time
  uint32_t entry_count;
  VolatileReading volatile_reading;
  // Nothing is taken for granted that the engines of `check` look at: that locks are initialised, unlocked only by
  // threads that hold them and not initialised or destroyed meanwhile, and that indices stay in their arrays.
  bool strict;
  bool summarise_calls; // for slices of the program
  double deadline;      // on clock_now's clock; 0: none
  void (*progress)(void *context, const char *station, uint64_t done, uint64_t total);
  void *progress_context;
} SurveyOptions;

// What a name is recognised by in another run: lines in it ("malloc in put (a.c:32)") do not count.
uint64_t survey_name_key(const char *name);

// Of a program without main and without entries: NULL with a line in `error`.
Survey *survey_run(const Code *code, const SurveyOptions *options, Text *error, Account *account);
void survey_free(Survey *survey);

#endif
