// Which variables of a thread share a place in the state vector.
//
// Variables that are never live together may share one. For threads of up to a few thousand variables that is decided
// exactly, by colouring the graph of what is live together. Beyond it, by intervals: a variable counts as live from the
// first to the last location (in reverse postorder) at which it is. Inlined code stands together in that order, so a
// place serves one activation after the other, and the vector is as large as what is live at one time, not as the
// program.
//
// Flags of what may be indeterminate are shared in the same way: variables with one place have one flag.
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
