// The constants among a thread's variables along a path, as the path grows and shrinks.
//
// At the beginning of the path no constant is known. An edge whose guard is false under the known constants cannot be
// taken, so the rounds of a loop that counts are distinguished.
#ifndef HEDDLE_PROGRAM_FACTS_PATH_CONSTANTS_H
#define HEDDLE_PROGRAM_FACTS_PATH_CONSTANTS_H

#include "base/map.h"
#include "program/program.h"

typedef struct PathConstants {
  const Program *program;
  Map values;       // variable -> its constant, or itself: any value
  TermVector trail; // what was overwritten: variable and value before, in turn
  TermVector right; // scratch
} PathConstants;

void path_constants_init(PathConstants *path, const Program *program, Account *account);
void path_constants_free(PathConstants *path);

static inline size_t path_constants_mark(const PathConstants *path) { return path->trail.count; }
// Appends a step to the path. False: the step cannot be taken.
bool path_constants_step(PathConstants *path, const Step *step);
// Shortens the path to what it was when `mark` was given.
void path_constants_undo(PathConstants *path, size_t mark);

#endif
