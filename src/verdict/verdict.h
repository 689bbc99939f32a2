// The result of a check: an answer, what it rests on, and how it was found.
//
// SAFE may only be said with no cuts. UNSAFE may only be said with a schedule that replay has run (`confirmed`).
// `result_seal` enforces both: it downgrades to UNKNOWN with a reason, so that no engine can print a wrong verdict by
// forgetting a flag.
#ifndef HEDDLE_VERDICT_VERDICT_H
#define HEDDLE_VERDICT_VERDICT_H

#include "base/map.h"
#include "verdict/property.h"
#include "verdict/schedule.h"

typedef enum Answer { ANSWER_UNKNOWN, ANSWER_SAFE, ANSWER_UNSAFE } Answer;
const char *answer_text(Answer answer); // "UNKNOWN", "SAFE", "UNSAFE"

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

typedef struct Result {
  Answer answer;
  Property property;
  uint32_t assumptions; // bits 1 << Assumption
  MetCutVector cuts;    // without duplicates
  U64Vector calls;      // calls that were reached and are not inlined (Cut.calls), without duplicates
  Text reason;          // for UNKNOWN: one line, e.g. "out of time", "no violation up to unwinding 5"
  Text covered;         // what was covered, one line for people; may be empty
  Text proof;           // for SAFE, where the engine has one: a line per control vector and its invariant; may be empty
  Text violation;       // for UNSAFE: one line, e.g. "assertion fails at a.c:12 in thread 0.1 (worker)"
  Schedule *schedule;   // owned; NULL unless UNSAFE
  bool confirmed;       // replay ran the schedule and reached the violation
  StatisticVector statistics;
  Interner strings; // names of statistics
  Account *account;
} Result;

Result *result_new(Property property, Account *account);
void result_free(Result *result);
void result_add_cut(Result *result, CutKind kind, const char *what);
void result_add_program_cut(Result *result, const Program *program, CutId cut);
void result_add_call(Result *result, uint64_t call);
// Takes over the cuts and calls of another result.
void result_add_cuts_of(Result *result, const Result *other);
void result_count(Result *result, const char *statistic, double value); // adds or replaces
double result_statistic(const Result *result, const char *statistic);   // 0 if absent
void result_unknown(Result *result, const char *format, ...) __attribute__((format(printf, 2, 3)));
void result_seal(Result *result);
Result *result_copy(const Result *result, Account *account);

// Two results on the same property combined: a confirmed UNSAFE or a SAFE wins over UNKNOWN; a contradiction is UNKNOWN
// with the reason "internal error: contradiction". Takes nothing over; returns a new result.
Result *result_combine(const Result *a, const Result *b, Account *account);

// JSON for --json and for the pipe between an engine's process and its parent. Without a program (NULL) the schedule is
// neither written nor read.
void result_write_json(const Result *result, const Program *program, Text *out);
Result *result_read_json(const char *text, const Program *program, Text *error, Account *account);

#endif
