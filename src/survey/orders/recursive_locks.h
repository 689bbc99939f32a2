// Locks that the thread which holds them may take again.
//
// Direction of the facts: RECURSION_NO is may (an initialiser in the source may say otherwise), RECURSION_YES must.
#ifndef HEDDLE_SURVEY_ORDERS_RECURSIVE_LOCKS_H
#define HEDDLE_SURVEY_ORDERS_RECURSIVE_LOCKS_H

#include "survey/orders/lock_nodes.h"

typedef enum Recursion { RECURSION_NO, RECURSION_UNKNOWN, RECURSION_YES } Recursion;
Recursion recursion_of(LockNodes *nodes, SetId taken);

#endif
