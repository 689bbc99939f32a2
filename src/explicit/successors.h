// Transitions: what one thread does in one move of the search.
//
// A transition starts with the thread's next step, or with its whole next atomic section; then follow the steps that
// no other thread can see, up to the next stop (footprint.h), to a step that would end the process, to a place where
// the thread cannot go on, to a second choice, or for a bounded number of turns of local loops. The steps of a section
// are executed without interruption; a path on which it cannot be finished does not count.
//
// HALT and other steps that end the process without a violation are never executed: nothing that matters can happen
// after them, and what happened before happened without them. A thread in front of one is not enabled, but it can run.
#ifndef HEDDLE_EXPLICIT_SUCCESSORS_H
#define HEDDLE_EXPLICIT_SUCCESSORS_H

#include "explicit/footprint.h"
#include "explicit/machine/machine.h"

typedef enum TransitionResult {
  TRANSITION_DONE,
  TRANSITION_BLOCKED,  // no step can be taken on this path (the vector may have changed)
  TRANSITION_ENDS,     // the process would end
  TRANSITION_VIOLATES, // the last step violates the property
  TRANSITION_ENDLESS   // an atomic section did not finish within the bound, or goes round for ever
} TransitionResult;

// An access made by the first step or the atomic section of a transition, for the race check. The deallocation of a
// block is an access that writes all its cells.
typedef struct LoggedAccess {
  EdgeId edge;
  CellId cell;
  uint32_t count;
  bool writes, synchronises, doubtful, frees;
} LoggedAccess;
VECTOR(LoggedAccessVector, LoggedAccess);

typedef struct Mover {
  Machine machine;
  const Footprint *footprint;
  bool waits;     // a WAIT or LOCK step was among those that could not be taken (set, never reset by a run)
  bool assumes;   // the same for an ASSUME step
  bool bounded;   // a section met the bound on its steps
  bool *cuts_met; // per cut of the program
  bool log_accesses;
  LoggedAccessVector accesses; // of the transition run last
  bool in_section;             // it began with an atomic section
  Bitset doubted;              // steps with a doubtful access that would race
  uint8_t *snapshot;           // for finding endless sections
  uint8_t *trial;              // what a trial of readiness has to put back
  uint32_t *enabled_edges;     // scratch
} Mover;

void mover_init(Mover *mover, const Footprint *footprint, Property property, Chooser *chooser, Account *account);
void mover_free(Mover *mover);

// Runs one transition of `thread` on the machine's vector with the chooser's digits.
TransitionResult mover_run(Mover *mover, ThreadId thread);

// The access that the edge makes which the machine has just begun; false: it makes none.
bool mover_access(const Mover *mover, const EdgeCode *edge, LoggedAccess *logged);

typedef enum Readiness {
  READY,     // enabled
  READY_NOT, // nothing can be taken now
  READY_ENDS // the only steps that can be taken end the process
} Readiness;

// Can the thread move? Leaves the vector as it is. Uses the chooser above its present digits.
Readiness mover_ready(Mover *mover, ThreadId thread);

#endif
