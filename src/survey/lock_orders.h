// Orders in which locks are taken: cycles, and locks that are taken twice.
//
// Only locks of one instance that are surely held count, so each finding is told with places that exist. Nothing is
// proved here: a program without a finding may still have a deadlock. A cycle is not told if a common lock is held at
// both of its places, or if they are in threads that do not run at the same time.
#ifndef HEDDLE_SURVEY_LOCK_ORDERS_H
#define HEDDLE_SURVEY_LOCK_ORDERS_H

#include "survey/describe.h"

// Fills in the survey's findings about locks.
void lock_orders_report(Describe *d, Flow *flow);

#endif
