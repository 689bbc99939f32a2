// Happens-before by vector clocks, for the judge of data races.
//
// An event is one step or one whole atomic section; the accesses of a section are ordered as a whole, because no other
// step comes between them. Each thread and each cell has a clock. First an event acquires the clocks of all cells that
// it accesses in a synchronising way; at its end it releases them. So creation, exit, join and locks order threads
// through the cells that they use. Sections also acquire and release a clock that all sections share. An access that
// is `unordered` acquires and releases nothing. A section all of whose synchronising accesses are `unordered` (an
// attempt to lock that failed) does not use the sections' clock.
//
// For each cell and thread the module keeps the thread's time at its last plain and its last synchronising read and
// write. Two accesses race if they touch the same cell, one of them writes, they are not both synchronising, and
// neither event happens before the other.
//
// Invariants: the own entry of a thread's clock is at least 1 and grows with each event of the thread; no other clock
// has a larger entry for that thread. Memory: threads x cells entries, four times. The clocks own their arrays.
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
  bool unordered; // if it synchronises: it acquires and releases nothing
} EventAccess;
VECTOR(EventAccessVector, EventAccess);

typedef struct Clocks {
  const Program *program;
  size_t thread_count, cell_count;
  uint32_t *threads; // thread x thread: row t is the clock of thread t
  uint32_t *cells;   // cell x thread: row c is the clock of cell c
  uint32_t *section; // per thread: the clock of all sections
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
