// The cells that hold numbers of threads, and whether all threads use them as equal_threads.h wants.
#ifndef HEDDLE_DEPENDENCE_OWNER_CELLS_H
#define HEDDLE_DEPENDENCE_OWNER_CELLS_H

#include "dependence/equal_threads.h"

// Fills equal->owners. False: some access does something else with such a cell.
bool owner_cells_find(EqualThreads *equal, const LiveVariables *live);

#endif
