// Happens-before by vector clocks, for the judge of data races.
//
// Each thread has a clock. A synchronising access of a cell acquires and releases the cell's clock (so that creation,
// exit, join and locks order threads through the cells that they use); an atomic section acquires one clock of its own
// when it is entered and releases it when it is left. An access remembers, per cell and thread, the thread's time at
// its last plain and synchronising read and write. Two accesses race if they touch the same cell, one writes, they are
// not both synchronising, and neither happens before the other.
#ifndef HEDDLE_REPLAY_CLOCKS_H
#define HEDDLE_REPLAY_CLOCKS_H

#include "program/program.h"

typedef struct AccessTime {
  uint32_t time; // of the thread's own clock; 0: never
  EdgeId edge;
} AccessTime;

enum { TIME_PLAIN_READ, TIME_PLAIN_WRITE, TIME_SYNC_READ, TIME_SYNC_WRITE, TIME_KINDS };

typedef struct Clocks {
  size_t thread_count, cell_count;
  uint32_t *threads;   // thread x thread
  uint32_t *cells;     // cell x thread
  uint32_t *section;   // per thread
  AccessTime *times;   // cell x thread x TIME_KINDS
  Account *account;
} Clocks;

void clocks_init(Clocks *clocks, const Program *program, Account *account);
void clocks_free(Clocks *clocks);
void clocks_enter_section(Clocks *clocks, ThreadId thread);
void clocks_leave_section(Clocks *clocks, ThreadId thread);

typedef struct Race {
  CellId cell;
  EdgeId first, second;
  ThreadId first_thread, second_thread;
} Race;

// Records the access of `cell` by `edge`; true with `race` filled if it races with an earlier one.
bool clocks_access(Clocks *clocks, ThreadId thread, EdgeId edge, const Access *access, CellId cell, Race *race);

#endif
