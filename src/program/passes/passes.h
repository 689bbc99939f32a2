// Passes: rewrites of a program, each a row of one table with what it needs and what it preserves.
//
// `passes_prepare` makes the unreduced program; `passes_reduce` reduces a view of it for an engine. Both run the rows
// in their order. In debug builds the validator runs after each pass.
#ifndef HEDDLE_PROGRAM_PASSES_PASSES_H
#define HEDDLE_PROGRAM_PASSES_PASSES_H

#include "program/program.h"

// What a pass must preserve; a property is a set of these.
typedef enum Preserves {
  PRESERVES_REACHABILITY = 1, // errors, halts and cuts that can be reached
  PRESERVES_RACES = 2,        // which accesses may happen, and in which order
  PRESERVES_DEADLOCKS = 4,    // which threads can be blocked for ever
  PRESERVES_MEMORY = 8,       // invalid dereferences, frees, divisions
  PRESERVES_LIVENESS = 16,    // what can be observed on infinite executions, up to how often a state is repeated
  PRESERVES_EVERYTHING = 31
} Preserves;

// The form that a pass needs and gives.
typedef enum ProgramForm {
  FORM_INDEXED = 1,   // out_edges, in_edges valid
  FORM_CELLS = 2,     // laid out: cells, access sets, no block operations
  FORM_LIVE = 4,      // dead variables are cleared (assignments of dead variables removed)
  FORM_LARGE = 8,     // edges may have several steps
  FORM_SINGLE = 16,   // as FORM_LARGE, with at most one access in an edge
  FORM_SECTIONS = 32, // as FORM_LARGE, with one step or one path through a section in an edge
  FORM_VALUES = 64    // no value is left on which nothing depends
} ProgramForm;

typedef struct Pass {
  const char *name, *summary;
  unsigned needs, gives; // ProgramForm bits
  unsigned preserves;    // Preserves bits
  void (*run)(Program *p);
} Pass;

extern const Pass *const program_passes; // terminated by a row without a name

// Runs the passes that every program goes through once after lowering (the rows that preserve everything). The result
// is the unreduced program, against which schedules are written.
// If `watch` is not NULL, calls its `begins` before each pass.
typedef struct PassWatch {
  void (*begins)(void *context, const char *pass, const Program *p);
  void *context;
} PassWatch;
void passes_prepare(Program *p, const PassWatch *watch);

// What one edge holds after the reducing passes (passes/large.c).
typedef enum BlockSize {
  BLOCK_STEP,    // one step
  BLOCK_SECTION, // one step, or one path through an atomic section
  BLOCK_SINGLE,  // at most one access to memory, and the steps around it that access none
  BLOCK_LARGE    // one visible step or atomic section, and the local steps around it
} BlockSize;
// Runs the reducing passes on a view: those that preserve everything in `preserve` (Preserves bits).
void passes_reduce(Program *view, unsigned preserve, BlockSize size);

#endif
