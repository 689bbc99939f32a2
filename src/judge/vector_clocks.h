// Happens-before by vector clocks, for the judge of data races.
//
// An event is one step, or one whole atomic section: nothing comes between the accesses of a section, so that its
// order with another event is the order of the section as a whole. Each thread has a clock. An event acquires the clock
// of every cell that it accesses in a synchronising way before anything else, and releases them after everything else
// (so that creation, exit, join and locks order threads through the cells that they use); sections also acquire and
// release one clock of their own. An access that is `unordered` takes no part in that, nor does a section whose
// synchronising accesses all are: an attempt that failed. An access remembers, per cell and thread, the thread's time
// at its last plain and synchronising read and write. Two accesses race if they touch the same cell, one writes, they
// are not both synchronising, and neither event happens before the other.
#ifndef HEDDLE_JUDGE_VECTOR_CLOCKS_H
#define HEDDLE_JUDGE_VECTOR_CLOCKS_H

#include "program/program.h"

typedef struct AccessTime {
  uint32_t time; // of the thread's own clock; 0: never
  EdgeId edge;
} AccessTime;

enum { TIME_PLAIN_READ, TIME_PLAIN_WRITE, TIME_SYNC_READ, TIME_SYNC_WRITE, TIME_KINDS };

// An access of an event.
typedef struct EventAccess {
  EdgeId edge;
  CellId cell;
  bool reads, writes, synchronises;
  bool unordered; // and synchronises: it acquires and releases nothing
} EventAccess;
VECTOR(EventAccessVector, EventAccess);

typedef struct Clocks {
  size_t thread_count, cell_count;
  uint32_t *threads; // thread x thread
  uint32_t *cells;   // cell x thread
  uint32_t *section; // per thread
  AccessTime *times; // cell x thread x TIME_KINDS
  Account *account;
} Clocks;

void clocks_init(Clocks *clocks, const Program *program, Account *account);
void clocks_free(Clocks *clocks);

typedef struct Race {
  CellId cell;
  EdgeId first, second;
  ThreadId first_thread, second_thread;
} Race;

// Records an event; true with `race` filled if one of its accesses races with an earlier one.
bool clocks_event(Clocks *clocks, ThreadId thread, const EventAccessVector *event, bool section, Race *race);

#endif
