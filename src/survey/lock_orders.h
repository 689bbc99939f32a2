// Orders in which locks are taken: what of them is proved, and what may be a deadlock.
//
// An order is proved if no cycle of waits goes through it, for any number of threads: a cycle of locks, or of locks and
// waits for signals, posts, barriers and ends of threads. It is not proved that threads which wait with no lock held
// are woken, or that a recursive lock is one.
#ifndef HEDDLE_SURVEY_LOCK_ORDERS_H
#define HEDDLE_SURVEY_LOCK_ORDERS_H

#include "survey/describe.h"

// Fills in the survey's findings about locks. False: the deadline has passed.
bool lock_orders_report(Describe *d, Flow *flow);

#endif
