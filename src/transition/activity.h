// What threads may do next and later, by where they stand.
//
// Only *resources* count: cells that two threads touch and one of them writes (or the alive flags of objects). What follows
// an edge counts at its start: all of it as later; as next too if the edge goes into an atomic section, for then all of the
// section is. What threads that it creates do does not count as a thread's own.
#ifndef HEDDLE_TRANSITION_ACTIVITY_H
#define HEDDLE_TRANSITION_ACTIVITY_H

#include "transition/transition.h"

typedef enum ActivityRow { NEXT_READS, NEXT_WRITES, LATER_READS, LATER_WRITES, ROWS } ActivityRow;

typedef struct Activity {
  const Transitions *transitions;
  U32Vector resources; // cells (or cells.count + object)
  uint32_t *numbers;   // per cell (and object): its resource, or NO_ID
  uint64_t *rows;      // per location: sets of resources, by ActivityRow; NULL: too large
  ThreadMask *creates; // per location: the threads that may be created from there on, by the thread itself
  bool *goes_on;       // per location: the thread can take some edge in every state, none of which goes back, ends the
                       // process, is cut or enters a section
  size_t words;        // of a row
  Account *account;
} Activity;

void activity_init(Activity *activity, const Transitions *transitions, Account *account);
void activity_free(Activity *activity);

static inline uint64_t *activity_row(const Activity *activity, LocationId at, ActivityRow which) {
  return activity->rows + ((size_t)at * ROWS + which) * activity->words;
}
// Can the edge be taken, or meet a pointer that was not foreseen?
bool activity_counts(const Transitions *t, EdgeId edge);
// Adds the resources of a set of touches to a row.
void activity_note(const Activity *activity, TouchSet set, uint64_t *row);
bool activity_join(uint64_t *into, const uint64_t *from, size_t words); // true if `into` grew

#endif
