// Where interrupts (signal handlers) can matter: what the pass "interrupts" finds out before it copies anything.
//
// A handler runs at any point of its thread, and the thread stands still meanwhile. What it does moves past the steps of
// the thread that nobody can see, and past those of other threads together with the thread's own; so it is enough that
// it runs right before the *visible* steps of its thread:
//   - accesses to cells that other threads touch, or that the thread's handlers touch, one of the two writing;
//   - steps that may wait, end the thread, or end the execution (an assumption, the end of the process);
//   - atomic sections with such a step inside;
// and where a visible step leads to a loop without any, since the thread may stay there.
// A handler that does nothing that anybody can see (it ends the process, prints, or is empty) runs nowhere. No handler
// runs before the first one can be installed: for a thread, if it alone installs handlers, before it does.
//
// Handlers are interrupted by others in the same way, except before their first visible step and before they return: that
// is the same as one after the other.
#ifndef HEDDLE_PROGRAM_PASSES_INTERRUPTS_H
#define HEDDLE_PROGRAM_PASSES_INTERRUPTS_H

#include "base/bitset.h"
#include "program/program.h"

typedef struct Fragment {
  Interruption interrupt;
  U32Vector members; // its locations without the exit, entry first
  U32Vector points;  // members before which other handlers may run
  bool effective;    // somebody can see what it does
} Fragment;
VECTOR(FragmentVector, Fragment);

typedef struct InterruptPlan {
  Program *program;
  FragmentVector fragments;          // of all threads
  uint32_t *fragment_of;             // per location: the fragment that it belongs to, or NO_ID
  bool *accepting;                   // per location: the entry of a fragment, or inside the section that it enters
  bool *visible;                     // per edge: a visible step, or part of a visible section
  bool *installs;                    // per edge: it may install a handler
  bool *waits;                       // per location: a step or section that may wait leaves it
  bool *point;                       // per location: handlers may have to run before what leaves it
  Bitset handlers;                   // cells that say which function is a handler
  size_t location_count, edge_count; // of the program before anything is copied
  Account *account;
} InterruptPlan;

void interrupt_plan_init(InterruptPlan *plan, Program *p);
void interrupt_plan_free(InterruptPlan *plan);

#endif
