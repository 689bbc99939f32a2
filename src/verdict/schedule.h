// Schedules: an execution written down, against the unreduced program (passes_prepare), whatever engine found it.
//
// A schedule is the program's fingerprint, then steps. Each step names the thread and the edge it takes (edges of the
// unreduced program have one step each), and the values chosen during it, in order: inputs and indeterminate variables
// in the order of the step's assignments, then indeterminate bytes read by its access (one value for the access's
// cell, at its first read). A replay that runs out of choices, is given too many, names a thread that cannot take the
// edge, or does not end in the violation, rejects the schedule with a message naming the step.
//
// On disk: JSON
//   { "format": "heddle-schedule", "version": 1, "program": "<16 hex digits>", "property": "unreach-call",
//     "threads": ["0", "0.0", ...paths...],
//     "steps": [ { "thread": "0.0", "edge": 17, "line": 12, "choices": [ "5", ... ] }, ... ],
//     "loop": 12 }                      (only for lassos: index of the step where the loop starts, or how many there
// are) Choices are decimal strings of unsigned values (up to 128 bits). `line` is informative.
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
  uint32_t loop_start; // NO_ID: not a lasso; `steps.count`: nothing happens any more, the last state goes on for ever
} Schedule;

Schedule *schedule_new(Account *account);
void schedule_free(Schedule *schedule);
void schedule_add(Schedule *schedule, ThreadId thread, EdgeId edge, const Bits *choices, size_t choice_count);
size_t schedule_switches(const Schedule *schedule); // how often another thread goes on
Schedule *schedule_copy(const Schedule *schedule, Account *account);
// For reports: the threads of the program are called by the order in which the schedule creates them.
void schedule_label_threads(const Schedule *schedule, Program *program);

void schedule_write_json(const Schedule *schedule, const Program *program, Text *out);
void schedule_add_members(const Schedule *schedule, const Program *program, Text *out); // without the braces around
// Returns NULL with one line in `error` (what is wrong, and where) when the text is not a schedule of this program.
Schedule *schedule_read_json(const char *text, const Program *program, Text *error, Account *account);
Schedule *schedule_from_json(const struct cJSON *object, const Program *program, Text *error, Account *account);

#endif
