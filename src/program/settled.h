// Settled findings: violations that a run has told already, and that do not count any more.
//
// A run goes on after its first violation. What it has found is settled in the prepared program that all engines and
// the judge see, so that they look for other violations, or prove that there are none:
//
//   SETTLED_STEP      a step of this kind at this place may fail, or reach its error: execution ends there, as it does
//                     for other properties. One finding settles all steps of the kind at the same line. Of blocks that
//                     are not freed or lost, the place is where they are allocated: wherever the process ends, and
//                     however many there are.
//   SETTLED_RACE      two accesses at these two places (in either order) may race with each other on this object. Each
//                     of them still races with accesses at other places, and both race on other objects.
//   SETTLED_DEADLOCK  a state is no deadlock if the threads that wait for something else than the end of another thread
//                     wait at exactly these places; if all wait for the end of another one, these count.
//
// Two violations at the same places have the same cause as far as a reader is concerned, so they are one finding. The
// fingerprint of the program does not change: a schedule fits the program with and without settled findings.
#ifndef HEDDLE_PROGRAM_SETTLED_H
#define HEDDLE_PROGRAM_SETTLED_H

#include "base/text.h"
#include "program/program.h"

typedef enum SettledKind { SETTLED_STEP, SETTLED_RACE, SETTLED_DEADLOCK } SettledKind;

// A line of the source. `file` is one that a position of the program names.
typedef struct SettledPlace {
  const char *file;
  uint32_t line;
} SettledPlace;

enum { MOST_SETTLED_PLACES = 64 };

typedef struct SettledFinding {
  SettledKind kind;
  StepKind step; // SETTLED_STEP: ERROR, FREE or DIVIDE; PLAIN: any access that may be invalid
  uint32_t place_count;
  SettledPlace places[MOST_SETTLED_PLACES]; // SETTLED_STEP: 1; SETTLED_RACE: 2; SETTLED_DEADLOCK: each once, in order
  const char *object; // SETTLED_RACE: the name (settled_object_name) of the objects that are raced on
} SettledFinding;

// The finding is copied. To be called on the prepared program. Views that were made before know nothing of it
// (view_settle).
void program_settle(Program *p, const SettledFinding *finding);
// Settles in a view what was settled in its program after the view was made (or after the last call). A pass must not
// have merged steps of the view.
void view_settle(Program *view, const Program *program);

// Is the goal of an edge of the view settled in its unreduced program `whole`: a race edge, or an edge whose last step
// is an error or a fault? Which deadlock an edge is of depends on the state, so no such edge is.
bool goal_is_settled(const Program *view, const Program *whole, EdgeId edge);
// Does a thread go on behind the steps of the finding, which it does not do as long as they are errors?
bool settled_is_passed(const SettledFinding *finding);

SettledPlace settled_place(const Position *position);
// Are they one line of one file? Files that are not known are the same.
bool settled_place_is_same(const SettledPlace *a, const SettledPlace *b);
// The place by which a violation at the step is known: where the step is; of a check of blocks, where they are
// allocated.
SettledPlace settled_step_place(const Step *step);
// The name by which findings know an object. The blocks of one allocation site have one name.
void settled_object_name(const Program *p, ObjectId object, Text *out);
// Does a race between these two steps on the object not count any more?
bool race_is_settled(const Program *p, StepId first, StepId second, ObjectId object);

// What is settled of the races between two steps of the unreduced program.
typedef enum RaceSettlement {
  RACE_OPEN,   // nothing
  RACE_PARTLY, // they may race on settled objects and on others
  RACE_WHOLLY  // on settled objects only
} RaceSettlement;
// By the findings from number `first` on. May-drop: RACE_WHOLLY is said only where points-to facts know all objects.
RaceSettlement race_settlement(const Program *p, StepId one, StepId other, size_t first);
// Where a thread at the location waits; `join`: for the end of another thread.
SettledPlace deadlock_place(const Program *p, LocationId location, bool *join);
// The finding that a deadlock is in which the threads stand at these locations; NO_ID: the thread does not wait.
void deadlock_finding(const Program *p, const LocationId *waiting, SettledFinding *finding);
bool deadlock_is_settled(const Program *p, const LocationId *waiting);

#endif
