// The result of a check: an answer, the assumptions that it rests on, and how it was found.
//
// Invariants of a sealed result: SAFE has no cuts; UNSAFE has a schedule that the judge has confirmed; UNKNOWN has a
// reason. `result_seal` establishes them: it turns any other answer into UNKNOWN with a reason. So an engine that
// forgets to set a flag cannot cause a wrong verdict.
//
// The caller owns a result and frees it with result_free. The result owns its schedule and copies of all texts.
#ifndef HEDDLE_VERDICT_VERDICT_H
#define HEDDLE_VERDICT_VERDICT_H

#include "base/budget.h"
#include "base/map.h"
#include "verdict/property.h"
#include "verdict/schedule.h"
#include "verdict/violation.h"

typedef enum Answer { ANSWER_UNKNOWN, ANSWER_SAFE, ANSWER_UNSAFE } Answer;
const char *answer_text(Answer answer); // "UNKNOWN", "SAFE", "UNSAFE"

// Why an answer is UNKNOWN. X(NAME, name in JSON and in the bench, is it a mistake of ours? (SARIF: a run that failed),
// what to try, or NULL)
#define REASON_KINDS(X)                                                                                                \
  X(GAVE_UP, "gave up", false, "another --engine or --preset")                                                         \
  X(CUT, "limit of the model", false, NULL) /* the cuts say which */                                                   \
  X(TIME, "time", false, "a larger --time-limit")                                                                      \
  X(MEMORY, "memory", false, "a larger --memory-limit")                                                                \
  X(NOT_ASKED, "not asked", false, NULL) /* --first: another property was violated */                                  \
  X(INTERRUPTED, "interrupt", false, NULL)                                                                             \
  X(UNWINDING, "unwinding", false, "a larger --unwind, or --engine reach or circuit, which prove loops")               \
  X(EVENTS, "events", false, "--engine reach or replay, or a smaller --unwind")                                        \
  X(STATES, "states", false, "a larger --max-states")                                                                  \
  X(RANDOM, "random runs", false, "--search exhaustive")                                                               \
  X(THREADS, "threads", false, "another --engine, or a smaller --threads-limit")                                       \
  X(AGREEMENT, "agreement", false, "a smaller --agree")                                                                \
  X(GUESS, "guessed value", false, "a definition of the function in a file of its own beside the program")             \
  X(UNCONFIRMED, "not confirmed", false, "another --engine")                                                           \
  X(DOUBT, "judge in doubt", false, "another --engine")                                                                \
  X(CRASHED, "crash", true, "another --engine, and please report this") /* of an engine, in its process */             \
  X(INTERNAL, "internal error", true, "another --engine, and please report this")
typedef enum ReasonKind {
#define X(name, text, failure, try) REASON_##name,
  REASON_KINDS(X)
#undef X
      REASON_KIND_COUNT
} ReasonKind;
const char *reason_kind_name(ReasonKind kind);
bool reason_kind_is_failure(ReasonKind kind);
bool reason_kind_find(const char *name, ReasonKind *kind); // false if no kind has this name in JSON

typedef struct Statistic {
  const char *name; // in the result's `strings`, lower_snake_case
  double value;
} Statistic;
VECTOR(StatisticVector, Statistic);

// A bound or gap that was really met during the search.
typedef struct MetCut {
  CutKind kind;
  Text what; // e.g. "inline assembly at spin.c:14", "more than 8 threads at main.c:20"
} MetCut;
VECTOR(MetCutVector, MetCut);

// What an assumption of the answer concerns.
typedef struct RestsOn {
  Assumption assumption;
  Text what; // e.g. "spawn at main.c:5"
} RestsOn;
VECTOR(RestsOnVector, RestsOn);

// Something to know beside an answer. X(NAME, name in JSON, how it is told)
#define NOTE_KINDS(X)                                                                                                  \
  X(VACUOUS, "vacuous", "note: ")              /* SAFE: executions end before the end of the program, and where */     \
  X(CHOICE, "choice", "this execution uses: ") /* UNSAFE: what a model chose, and the violation hangs on */            \
  X(UNDEFINED, "undefined function", "this execution uses undefined functions: ") /* the same, and what they gave */   \
  X(REPLACED, "replaced function", "this execution calls without their code: ")   /* UNSAFE of a slice: all of them */
typedef enum NoteKind {
#define X(name, text, begin) NOTE_##name,
  NOTE_KINDS(X)
#undef X
      NOTE_KIND_COUNT
} NoteKind;
const char *note_kind_name(NoteKind kind);
typedef struct Note {
  NoteKind kind;
  Text what; // one line
} Note;
VECTOR(NoteVector, Note);

typedef struct Result {
  Answer answer;
  Property property;
  uint32_t assumptions;   // bits 1 << Assumption
  RestsOnVector rests_on; // what these concern, where that is known; without duplicates
  MetCutVector cuts;      // without duplicates
  U64Vector calls;        // calls that were reached and are not inlined (Cut.calls), without duplicates
  Text reason;            // for UNKNOWN: one line, e.g. "out of time", "no violation up to unwinding 5"
  ReasonKind why;         // what kind of reason that is
  Text covered;           // what was covered, one line for people; may be empty
  Text proof;         // for SAFE, where the engine has one: a line per control vector and its invariant; may be empty
  ViolationKind kind; // for UNSAFE, once the counterexample was told: of the violation
  Text violation;     // for UNSAFE: one line, e.g. "assertion fails at a.c:12 in thread 0.1 (worker)"
  Schedule *schedule; // owned; NULL unless UNSAFE
  bool confirmed;     // replay ran the schedule and reached the violation
  NoteVector notes;   // each once; those that do not go with the answer are dropped when it is sealed
  StatisticVector statistics;
  Interner strings; // names of statistics
  Account *account;
} Result;

Result *result_new(Property property, Account *account);
void result_free(Result *result);
void result_add_cut(Result *result, CutKind kind, const char *what);
void cut_tell(const Program *program, CutId cut, Text *out); // appends what it is and where
void result_add_program_cut(Result *result, const Program *program, CutId cut);
// Takes over the cuts and calls of another result.
void result_add_cuts_of(Result *result, const Result *other);
void result_rest_on(Result *result, Assumption assumption, const char *what);
void result_rest_on_program(Result *result, const Program *program); // its assumptions, and what they concern
// The lines that tell the assumptions of a set, one after the other: of each its text, then the first of what it
// concerns and how many more there are. What a survey takes for granted is a line each.
typedef struct AssumptionCursor {
  unsigned assumption; // next
  size_t row;          // next in `rests_on`, of ASSUME_SURVEY
} AssumptionCursor;
// Puts the next line into `line`, which loses what it had. False: there is no further one. The cursor begins as zero.
bool result_next_assumption(const Result *result, uint32_t assumptions, AssumptionCursor *at, Text *line);
void result_add_note(Result *result, NoteKind kind, const char *what);
// All notes for people, a line for each kind.
void result_tell_notes(const Result *result, Text *out);
void result_tell_notes_of(const Result *result, NoteKind kind, Text *out); // a line, if there are any
void result_count(Result *result, const char *statistic, double value);    // adds or replaces
double result_statistic(const Result *result, const char *statistic);      // 0 if absent
// UNKNOWN, because the engine gave up; for a reason of another kind; because its budget ended (STOP_NONE: it gave up).
void result_unknown(Result *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_unknown_for(Result *result, ReasonKind why, const char *format, ...) __attribute__((format(printf, 3, 4)));
void result_stopped(Result *result, StopReason stopped);
// The kind of reason that a budget with this in it is.
ReasonKind reason_of_stop(StopReason stopped);
// UNKNOWN, because of the first of its cuts.
void result_unknown_for_cuts(Result *result);
const char *cut_hint(CutKind kind); // what may help against a cut, as the end of "try ..."
// What may help: an option or a change, as the end of "try ..."; nothing is added if the answer is not UNKNOWN, or if
// nothing is known to help.
void result_add_hint(const Result *result, Text *out);
// The reason of an UNKNOWN for people: with "; try ..." and the hint, if there is one.
void result_add_reason(const Result *result, Text *out);
void result_seal(Result *result);
Result *result_copy(const Result *result, Account *account);

// JSON for --json and for the pipe between an engine's process and its parent. Without a program (NULL) the schedule is
// neither written nor read.
void result_write_json(const Result *result, const Program *program, Text *out);
Result *result_read_json(const char *text, const Program *program, Text *error, Account *account);
// The same for a part of something larger: the members without the braces around them, and an object that was parsed
// (not NULL only if it is there).
void result_add_members(const Result *result, const Program *program, Text *out);
Result *result_from_json(const struct cJSON *object, const Program *program, Text *error, Account *account);

#endif
