// Schedules: a list of threads, edges and choices that determines an execution of the unreduced program
// (passes_prepare). All engines give counterexamples in this form.
//
// A schedule has the program's fingerprint and its steps. Each step names a thread, the edge that it takes (an edge of
// the unreduced program has one step), and its choices in this order: first the fresh variables, in the order of the
// step's assignments; then the cells that are indeterminate when the step's access reads them, by address. The judge
// rejects a schedule, with a message that names the step, if a step has too few or too many choices or if its thread
// cannot take the edge. A schedule may hold anything: only the judge's answer makes it a counterexample.
//
// Invariants: the ranges of choices of the steps lie one after the other in `choices`; `loop_start` is NO_ID or at most
// the number of steps. The caller owns a schedule and frees it with schedule_free.
//
// On disk: JSON
//   { "format": "heddle-schedule", "version": 1, "program": "<16 hex digits>", "property": "unreach-call",
//     "threads": ["0", "0.0", ...paths...],
//     "steps": [ { "thread": "0.0", "edge": 17, "line": 12, "choices": [ "5", ... ] }, ... ],
//     "loop": 12 }
// `loop` is only there for lassos: the index of the step at which the loop begins, or the number of steps. Choices are
// decimal strings of unsigned values (up to 128 bits). `line` is for human readers and is not read.
#ifndef HEDDLE_VERDICT_SCHEDULE_H
#define HEDDLE_VERDICT_SCHEDULE_H

#include "program/program.h"
#include "verdict/property.h"

struct cJSON; // a parsed value (verdict/json.h)

typedef struct ScheduleStep {
  ThreadId thread;
  EdgeId edge;
  uint32_t first_choice, choice_count; // range in Schedule.choices
} ScheduleStep;

VECTOR(ScheduleStepVector, ScheduleStep);
VECTOR(BitsVector, Bits);

typedef struct Schedule {
  uint64_t fingerprint;
  Property property;
  ScheduleStepVector steps;
  BitsVector choices;
  uint32_t loop_start; // NO_ID: not a lasso; `steps.count`: the loop has no steps, the last state is repeated for ever
} Schedule;

Schedule *schedule_new(Account *account);
void schedule_free(Schedule *schedule);
void schedule_add(Schedule *schedule, ThreadId thread, EdgeId edge, const Bits *choices, size_t choice_count);
size_t schedule_switches(const Schedule *schedule); // number of steps whose thread is not that of the step before
Schedule *schedule_copy(const Schedule *schedule, Account *account);
// For reports: gives the threads of the program labels in the order in which the schedule creates them.
void schedule_label_threads(const Schedule *schedule, Program *program);

void schedule_write_json(const Schedule *schedule, const Program *program, Text *out);
void schedule_add_members(const Schedule *schedule, const Program *program, Text *out); // without the braces around
// Returns NULL with one line in `error` (what is wrong, and where) when the text is not a schedule of this program.
Schedule *schedule_read_json(const char *text, const Program *program, Text *error, Account *account);
Schedule *schedule_from_json(const struct cJSON *object, const Program *program, Text *error, Account *account);

#endif
