// The goals of a property: what may go wrong in a program and is asked for. One run counts how many of them are
// violated, proved and open.
//
//   unreach-call       each line with an assertion or a reach_error
//   no-data-race       each object that ordinary accesses of several threads touch, one of them writing
//   no-deadlock        each line at which a thread may wait
//   other properties   each line with a step that may fail (program/passes/faults.h)
//   ltl                the formula
//
// The copies of one line in several threads, or in several calls, are one goal, and so are the blocks of one allocation
// site. A goal is known by its name: FILE:LINE, or the object.
//
// `safe` says that static facts exclude a violation of the goal (may-drop): all accesses to the object hold one lock.
//
// Invariant: each name is there once. Goals own their strings.
#ifndef HEDDLE_VERDICT_GOALS_H
#define HEDDLE_VERDICT_GOALS_H

#include "base/arena.h"
#include "base/map.h"
#include "verdict/property.h"

struct cJSON; // a parsed value (verdict/json.h)

typedef struct PropertyGoal {
  const char *name;
  bool safe;
} PropertyGoal;
VECTOR(PropertyGoalVector, PropertyGoal);

typedef struct Goals {
  PropertyGoalVector rows;
  Interner names;
  Map numbers; // address of an interned name -> its row
} Goals;

void goals_init(Goals *goals);
void goals_free(Goals *goals);
// Adds the goals of the property in the prepared program.
void goals_find(Goals *goals, Program *program, Property property);
// Static facts are not enough: no goal is `safe` any more.
void goals_distrust(Goals *goals);
// Adds a goal, unless one of this name is there. A goal that stands for several things is safe if all of them are.
void goals_add(Goals *goals, const char *name, bool safe);
bool goals_have(const Goals *goals, const char *name);

#define GOAL_FORMULA "the formula" // the name of the one goal of the property ltl

// The names of goals: of a place, and of the object that a cell belongs to.
void goal_name_of_place(const Position *position, Text *out);
void goal_name_of_cell(const Program *program, CellId cell, Text *out);

void goals_write_json(const Goals *goals, Text *out);
// Adds what is there. False, with one line in `error`, for what is no list of goals.
bool goals_read_json(const struct cJSON *list, Goals *goals, Text *error);

#endif
