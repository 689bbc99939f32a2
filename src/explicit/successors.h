// Transitions: what one thread does in one move of the search.
//
// A transition starts with the thread's next step, or with its whole next atomic section. After it, the thread takes
// steps that no other thread can observe, up to the first of these places: the next stop (footprint.h), a step that
// would end the process, a location where the thread cannot take a step, a second choice, or a bounded number of rounds
// of local loops. The steps of a section are executed without interruption. A path on which the section cannot be
// finished does not count.
//
// HALT and other steps that end the process without a violation are never executed. No violation comes after such a
// step, and the steps before it are explored without it. A thread in front of one is not enabled, but it is not blocked
// either.
#ifndef HEDDLE_EXPLICIT_SUCCESSORS_H
#define HEDDLE_EXPLICIT_SUCCESSORS_H

#include "explicit/footprint.h"
#include "explicit/machine/machine.h"

typedef enum TransitionResult {
  TRANSITION_DONE,
  TRANSITION_BLOCKED,  // no step can be taken on this path (the vector may have changed)
  TRANSITION_ENDS,     // the process would end
  TRANSITION_VIOLATES, // the last step violates the property
  TRANSITION_ENDLESS   // an atomic section did not finish within the bound, or repeats a state
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
  uint8_t *trial;              // what has to be restored after a trial of readiness
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
