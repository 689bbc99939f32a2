// Passes: rewrites of a program, each a row of one table with what it needs and what it preserves.
//
// `passes_run` runs the rows in order, skips those that do not preserve the property asked for, runs the validator
// after each in debug builds, and can dump the program as DOT after any of them.
#ifndef HEDDLE_PROGRAM_PASSES_PASSES_H
#define HEDDLE_PROGRAM_PASSES_PASSES_H

#include "program/program.h"

// What a pass must preserve; a property is a set of these.
typedef enum Preserves {
  PRESERVES_REACHABILITY = 1, // errors, halts and cuts that can be reached
  PRESERVES_RACES = 2,        // which accesses may happen, and when
  PRESERVES_DEADLOCKS = 4,    // which threads can block for ever
  PRESERVES_MEMORY = 8,       // invalid dereferences, frees, divisions
  PRESERVES_LIVENESS = 16,    // what can be observed on infinite executions, up to how often a state is repeated
  PRESERVES_EVERYTHING = 31
} Preserves;

// What a pass needs and gives.
typedef enum ProgramForm {
  FORM_INDEXED = 1,   // out_edges, in_edges valid
  FORM_CELLS = 2,     // laid out: cells, access sets, no block operations
  FORM_LIVE = 4,      // dead variables are cleared (assignments of dead variables removed)
  FORM_LARGE = 8,     // edges may have several steps
  FORM_SINGLE = 16,   // as FORM_LARGE, with one access in all of them
  FORM_SECTIONS = 32, // as FORM_LARGE, with one step or one section
  FORM_VALUES = 64    // no value is left on which nothing depends
} ProgramForm;

typedef struct Pass {
  const char *name, *summary;
  unsigned needs, gives; // ProgramForm bits
  unsigned preserves;    // Preserves bits
  void (*run)(Program *p);
} Pass;

extern const Pass *const program_passes; // terminated by a row without a name

// The passes that every program goes through once after lowering ("unreduced program"): layout, constant cells,
// dead code, back edges. They preserve everything, and schedules are written against their result.
void passes_prepare(Program *p);
// The same, told of each pass before it begins.
typedef struct PassWatch {
  void (*begins)(void *context, const char *pass, const Program *p);
  void *context;
} PassWatch;
void passes_prepare_watched(Program *p, const PassWatch *watch); // `watch` may be NULL
// What an edge holds after the reducing passes: one step; one step or section; one access with what touches no memory
// around it; one shared access or section with what is local around it.
typedef enum BlockSize { BLOCK_STEP, BLOCK_SECTION, BLOCK_SINGLE, BLOCK_LARGE } BlockSize;
// The reducing passes for engines, on a view, as far as they preserve `preserve`.
void passes_reduce(Program *view, unsigned preserve, BlockSize size);

#endif
