// Which variables of a thread share a place in the state vector.
//
// Variables that are never live together may share a place. For threads of up to a few thousand variables this is
// decided exactly: the graph of variables that are live together is coloured. For larger threads it is decided by
// intervals: a variable counts as live from the first to the last location (in reverse postorder) at which it is live.
// The locations of an inlined call are neighbours in this order, so one activation after the other uses the same place.
// The size of the vector depends on how many variables are live at one time, not on the size of the program.
//
// The flags of indeterminate values are shared in the same way: variables with the same place have the same flag.
#ifndef HEDDLE_EXPLICIT_MACHINE_VARIABLE_PLACES_H
#define HEDDLE_EXPLICIT_MACHINE_VARIABLE_PLACES_H

#include "explicit/machine/state_layout.h"

typedef struct VariablePlaces {
  Bitset ever_live;
  VariableId *shares;      // per variable: the one whose place it uses (itself if no other's)
  VariableId *flag_shares; // the one whose flag it uses; NO_ID: it is never indeterminate
  size_t count;
  Account *account;
} VariablePlaces;

// The layout has the live variables and the bytes of each.
void variable_places_init(VariablePlaces *places, const StateLayout *layout);
void variable_places_free(VariablePlaces *places);

#endif
