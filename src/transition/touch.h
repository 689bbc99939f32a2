// Touches: which cells an edge or an action may read or write, and in which states it does.
//
// If an access is a dereference, it touches each cell that the pointer may point to, in the states in which the address
// is that cell's: `when`, over the state before the edge. Sets are ranges of one vector, sorted by cell; each cell
// occurs once.
#ifndef HEDDLE_TRANSITION_TOUCH_H
#define HEDDLE_TRANSITION_TOUCH_H

#include "base/vector.h"
#include "term/term.h"

typedef struct Touch {
  uint32_t cell; // or cells.count + object: the life of the object
  Term when;
} Touch;
VECTOR(TouchVector, Touch);

typedef struct TouchSet {
  uint32_t first, count;
} TouchSet;

// Appends the touches of `list` (in any order, with repetitions) to `touches` as a set. Sorts `list`.
TouchSet touch_set_add(TouchVector *touches, TouchVector *list, TermStore *terms);
// Appends a set to a list.
void touch_set_list(const TouchVector *touches, TouchSet set, TouchVector *list);
// The condition under which both sets touch the same cell.
Term touch_sets_meet(const TouchVector *touches, TouchSet a, TouchSet b, TermStore *terms);

#endif
