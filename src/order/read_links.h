// Links: which writes each read may see, as far as program order and guards determine it (paper: the relation that the
// abstraction leaves open; candidates that program order excludes are never generated).
//
// Must-order. `before[n]` says for each thread how many of its first nodes come before node n whenever both happen.
// These orders come from creation and from reads that may see only one write (joining a thread is such a read). They
// are computed in a few rounds, because fewer candidates give more such reads.
//
// A write is no candidate of a read if it comes after the read, if their guards exclude each other, if the read's node
// is executed only with another value, or if a write that must happen lies between them.
#ifndef HEDDLE_ORDER_READ_LINKS_H
#define HEDDLE_ORDER_READ_LINKS_H

#include "base/budget.h"
#include "dependence/thread_set.h"
#include "order/unroll/events.h"

typedef struct MustOrder {
  uint32_t *before; // per node and thread
  size_t thread_count;
  size_t node_count;
  Account *account;
} MustOrder;

// Equal threads that are to begin in a certain order (equal_starts.h): a thread's nodes come after the first node of
// the thread before it.
typedef struct EqualStarts {
  ThreadId previous[MOST_MASKED_THREADS]; // the thread that must have begun before, or NO_ID
  bool any;
} EqualStarts;

// Adds the initial writes to node 0, and adds the links with their literals. The literal is a variable, or the read's
// guard if there is only one candidate. Fills `order`, which must be freed with must_order_free. `starts` may be NULL.
void links_find(Events *events, MustOrder *order, const EqualStarts *starts, Budget *budget);
void must_order_free(MustOrder *order);
// Does node a come before node b whenever both happen?
bool must_precede(const Events *events, const MustOrder *order, NodeId a, NodeId b);

// Checks the reads that were assumed to be constants (UnrollOptions.constants). Adds the key of each assumption that
// does not hold to `refuted`. Adds new assumptions to `constants` and sets `learned` if there are any. Returns false if
// some assumption does not hold: then the events must not be used.
bool links_learn_constants(const Events *events, Map *constants, Map *refuted, bool *learned);

#endif
