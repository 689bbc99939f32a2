// The constants among a thread's variables along a path, as the path grows and shrinks.
//
// Nothing is known where the path begins. A way whose guard is false by what is known cannot be taken, so the rounds of a
// loop that counts are told apart.
#ifndef HEDDLE_PROGRAM_FACTS_PATH_CONSTANTS_H
#define HEDDLE_PROGRAM_FACTS_PATH_CONSTANTS_H

#include "base/map.h"
#include "program/program.h"

typedef struct PathConstants {
  const Program *program;
  Map values;       // variable -> its constant, or itself: it may be anything
  TermVector trail; // what was overwritten: variable and value before, in turn
  TermVector right; // scratch
} PathConstants;

void path_constants_init(PathConstants *path, const Program *program, Account *account);
void path_constants_free(PathConstants *path);

static inline size_t path_constants_mark(const PathConstants *path) { return path->trail.count; }
// The step comes next. False: it cannot be taken.
bool path_constants_step(PathConstants *path, const Step *step);
// Back to where `mark` was given.
void path_constants_undo(PathConstants *path, size_t mark);

#endif
