// Links: which writes each read may see, as far as program order and guards tell (paper: the relation that the
// abstraction leaves open; candidates that program order rules out are never generated).
//
// Must-order. `before[n]` says for each thread how many of its first nodes come before node n whenever both happen:
// through creation, and through reads that can see one write only (joining a thread is one). It is found in a few
// rounds, because fewer candidates mean more such reads.
//
// A write is no candidate of a read if it comes after it, if their guards exclude each other, if the read is only made
// when it sees another value, or if a write that surely happens lies between.
#ifndef HEDDLE_ORDER_READ_LINKS_H
#define HEDDLE_ORDER_READ_LINKS_H

#include "base/budget.h"
#include "order/events.h"

typedef struct MustOrder {
  uint32_t *before; // per node and thread
  size_t thread_count;
  size_t node_count;
  Account *account;
} MustOrder;

// Adds the initial writes to node 0, and the links with their literals: a variable, or the read's guard if there is
// only one candidate. Fills `order` (to be freed with must_order_free).
void links_find(Events *events, MustOrder *order, Budget *budget);
void must_order_free(MustOrder *order);
// Does a come before b whenever both happen?
bool must_precede(const Events *events, const MustOrder *order, NodeId a, NodeId b);

// Reads that were assumed to be constants (UnrollOptions.constants): forgets the assumptions that do not hold and adds
// new ones that would. Returns false if one did not hold: the events are then of no use.
bool links_learn_constants(const Events *events, Map *constants, Map *refuted, bool *learned);

#endif
