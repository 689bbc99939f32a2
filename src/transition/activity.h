// What threads may do next and later, by location.
//
// Only *resources* count: cells (or lives of objects) that two threads touch and one of them writes. What follows an
// edge counts at the edge's source: all of it as later, and, if the edge enters an atomic section, the rest of the
// section also as next. What threads do that a thread creates does not count as its own activity.
#ifndef HEDDLE_TRANSITION_ACTIVITY_H
#define HEDDLE_TRANSITION_ACTIVITY_H

#include "transition/transition.h"

typedef enum ActivityRow { NEXT_READS, NEXT_WRITES, LATER_READS, LATER_WRITES, ROWS } ActivityRow;

typedef struct Activity {
  const Transitions *transitions;
  U32Vector resources; // cells (or cells.count + object)
  uint32_t *numbers;   // per cell, and then per object: its resource, or NO_ID
  uint64_t *rows;      // per location: sets of resources, by ActivityRow; NULL: they would be too large
  ThreadMask *creates; // per location: the threads that the location's thread may create from there on
  bool *goes_on;       // per location: the thread can take some edge in every state; and no edge goes back, ends the
                       // process, ends in a cut or enters a section
  size_t words;        // the length of a row
  Account *account;
} Activity;

void activity_init(Activity *activity, const Transitions *transitions, Account *account);
void activity_free(Activity *activity);

static inline uint64_t *activity_row(const Activity *activity, LocationId at, ActivityRow which) {
  assert(activity->rows && which < ROWS);
  return activity->rows + ((size_t)at * ROWS + which) * activity->words;
}
// May the edge be taken, or dereference a pointer that was not foreseen?
bool activity_counts(const Transitions *t, EdgeId edge);
// Adds the resources of a set of touches to a row.
void activity_note(const Activity *activity, TouchSet set, uint64_t *row);
bool activity_join(uint64_t *into, const uint64_t *from, size_t words); // true if `into` grew

#endif
