// Where interrupts (signal handlers) can matter: what the pass "interrupts" finds out before it copies anything.
//
// A handler runs at any point of its thread, and the rest of the thread stands still meanwhile. A run of a handler can
// be moved past the invisible steps of its thread, and, together with the thread's own steps, past those of other
// threads. So it is enough that a handler runs right before the *visible* steps of its thread:
//   - accesses to cells that other threads, or handlers of the thread, access too, if one of the two accesses writes;
//   - steps that may wait, end the thread, or end the execution (an assume step, the end of the process);
//   - atomic sections with such a step inside.
// A handler also runs where a visible step leads to a loop without visible steps, since the thread may stay there.
// A handler without a visible effect (it ends the process, prints, or is empty) runs nowhere. No handler runs before
// the first one can be installed. If only one thread installs handlers, none runs in it before it has installed one.
//
// A handler is interrupted by other handlers in the same way, except before its first visible step and before it
// returns: these runs are equivalent to one handler after the other.
#ifndef HEDDLE_PROGRAM_PASSES_INTERRUPTS_H
#define HEDDLE_PROGRAM_PASSES_INTERRUPTS_H

#include "base/bitset.h"
#include "program/program.h"

typedef struct Fragment {
  Interruption interrupt;
  U32Vector members; // its locations without the exit, entry first
  U32Vector points;  // members before which other handlers may run
  bool effective;    // it has a visible effect
} Fragment;
VECTOR(FragmentVector, Fragment);

typedef struct InterruptPlan {
  Program *program;
  FragmentVector fragments; // of all threads
  uint32_t *fragment_of;    // per location: the fragment that it belongs to, or NO_ID
  bool *accepting;          // per location: it is the entry of a fragment, or inside the section that is entered there
  bool *visible;            // per edge: a visible step, or part of a visible section
  bool *installs;           // per edge: it may install a handler
  bool *waits;              // per location: a step or section that may wait leaves it
  bool *point;              // per location: handlers may have to run before what leaves it
  Bitset handlers;          // cells that hold the address of the handler function
  size_t location_count, edge_count; // of the program before anything is copied
  Account *account;
} InterruptPlan;

void interrupt_plan_init(InterruptPlan *plan, Program *p);
void interrupt_plan_free(InterruptPlan *plan);

#endif
