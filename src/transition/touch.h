// Touches: which cells an edge or an action may read or write, and in which states it does.
//
// Of a dereference, each cell that it may mean is touched where the address is that cell's: `when`, over the state before
// the edge. Sets are ranges of one vector, sorted by cell, each cell once.
#ifndef HEDDLE_TRANSITION_TOUCH_H
#define HEDDLE_TRANSITION_TOUCH_H

#include "base/vector.h"
#include "term/term.h"

typedef struct Touch {
  uint32_t cell; // or cells.count + object: its alive flag
  Term when;
} Touch;
VECTOR(TouchVector, Touch);

typedef struct TouchSet {
  uint32_t first, count;
} TouchSet;

// Appends the set of what is in `list` (in any order, with repetitions) to `touches`; sorts `list`.
TouchSet touch_set_add(TouchVector *touches, TouchVector *list, TermStore *terms);
// Puts a set into a list.
void touch_set_list(const TouchVector *touches, TouchSet set, TouchVector *list);
// When do the two sets have a cell in common?
Term touch_sets_meet(const TouchVector *touches, TouchSet a, TouchSet b, TermStore *terms);

#endif
