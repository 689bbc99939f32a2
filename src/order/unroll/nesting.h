// Loop nesting: the locations of a thread in an order in which every loop is one contiguous block (a weak topological
// order after Bourdoncle).
//
// Every edge goes forward in the order, or to the head of a block that contains its source. Consider a run over the
// order that repeats each block as long as a state arrives at its head. In each pass, it visits a location after all
// locations that lead to it in the same pass. So states can be merged where branches and exits of loops meet. This also
// holds for irreducible control flow.
#ifndef HEDDLE_ORDER_UNROLL_NESTING_H
#define HEDDLE_ORDER_UNROLL_NESTING_H

#include "program/program.h"

typedef struct NestingEntry {
  LocationId location;
  uint32_t end; // of the block that this location heads; 0: not a head
} NestingEntry;
VECTOR(NestingVector, NestingEntry);

// Fills `order` with the locations that are reachable from the thread's entry, and place[location] with their indices.
// Entries of other locations in `place` are not changed.
void nesting_of_thread(const Program *p, ThreadId thread, NestingVector *order, uint32_t *place, Account *account);

#endif
