// Loop nesting: the locations of a thread in an order in which every loop is one contiguous block (a weak topological
// order after Bourdoncle).
//
// Every edge goes forward in the order, or to the head of a block that contains its source. So a run over the order,
// repeating each block as long as something arrives at its head, meets every location after all that can lead to it in
// the same pass: where branches and exits of loops meet, they can be merged. Irreducible control flow is no exception.
#ifndef HEDDLE_ORDER_NESTING_H
#define HEDDLE_ORDER_NESTING_H

#include "program/program.h"

typedef struct NestingEntry {
  LocationId location;
  uint32_t end; // of the block that this location heads; 0: not a head
} NestingEntry;
VECTOR(NestingVector, NestingEntry);

// Fills `order` with the locations that the thread's entry reaches, and place[location] with their indices (others are
// left alone).
void nesting_of_thread(const Program *p, ThreadId thread, NestingVector *order, uint32_t *place, Account *account);

#endif
