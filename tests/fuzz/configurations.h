// The configurations that are compared: a table at the top of configurations.c, an entry for each further engine that
// `heddle check --help` lists, and foreign commands from the command line. The first is the judge.
#ifndef HEDDLE_FUZZ_CONFIGURATIONS_H
#define HEDDLE_FUZZ_CONFIGURATIONS_H

#include "fuzz/check.h"

#include "base/arena.h"

typedef struct Configurations {
  Configuration list[MOST_CONFIGURATIONS];
  unsigned count;
} Configurations;

// Takes what this heddle has, and of that what has `only` in its name (NULL: all; the judge in any case). What is left
// out for want of an engine is said on standard output. Returns false, with a line on standard error, if heddle does
// not run. Formulas have a table of their own.
bool configurations_find(Configurations *all, Arena *arena, const char *heddle, const char *only, bool formulas);
// NAME=COMMAND: false if it is not that, or there are too many.
bool configurations_add_command(Configurations *all, Arena *arena, const char *text);
void configurations_print(bool formulas); // the table

#endif
