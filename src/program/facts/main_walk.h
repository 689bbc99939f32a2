// The beginning of main that every execution has in common.
//
// Main often sets up what its threads work on and then creates them in loops that count. The walk follows main from its
// entry as long as constants decide which edge it takes: constants among its variables, in cells that nothing else has
// written yet, and in cells that main alone writes. So in every execution the edges that main takes are a beginning of
// the walk, or the whole walk and then edges that `stop` leads to. Main may wait on the walk; then it is at most put
// off.
//
// A cell is *settled* if its value after the walk is known and no step that can be taken after its last write on the
// walk writes it. A thread that is created after that write reads this value whenever it reads the cell. Nothing is
// said of a thread that no step creates: observers (transition/observers.h) read in every state.
//
// Steps must be single (before large blocks); after layout and interrupts. Direction: may-drop. Cells that are settled
// may not be found; the walk may be shorter than it could be.
#ifndef HEDDLE_PROGRAM_FACTS_MAIN_WALK_H
#define HEDDLE_PROGRAM_FACTS_MAIN_WALK_H

#include "program/program.h"

typedef struct WalkedCell {
  Term value;       // after the walk: a constant, or TERM_NONE
  uint32_t written; // after so many edges of the walk it was written last; 0: it was not
  bool foreign;     // a thread other than main may write it, or its object gets another life there
  bool later;       // main may write it after the walk
} WalkedCell;

typedef struct MainWalk {
  const Program *program;
  U32Vector edges;   // in order; where two edges stand side by side that lead to one location, the first of them
  TermVector loads;  // per edge of the walk: what it loads there, a constant, or TERM_NONE
  bool *taken;       // per edge: it is on the walk, or stands beside an edge of it
  bool *after;       // per location of main: main may come there after the walk (`stop` is one of them)
  WalkedCell *cells; // per cell
  uint32_t *starts;  // per thread: it is not created before so many edges of the walk were taken; NO_ID: never
  size_t edge_count, location_count, cell_count, thread_count;
  LocationId stop;
  Account *account;
} MainWalk;

void main_walk_init(MainWalk *walk, const Program *p, Account *account);
void main_walk_free(MainWalk *walk);

// May main take the edge?
static inline bool main_walk_may_take(const MainWalk *walk, EdgeId edge) {
  return walk->taken[edge] || walk->after[walk->program->edges.data[edge].from];
}
// What a thread other than main always loads by this access, which only reads: a constant, or TERM_NONE.
Term main_walk_loaded(const MainWalk *walk, ThreadId thread, const Access *access);

#endif
