// Where the parts of equal threads stand in the state vector, and whether they stand in the same order in each.
#ifndef HEDDLE_EXPLICIT_SYMMETRY_LAYOUT_H
#define HEDDLE_EXPLICIT_SYMMETRY_LAYOUT_H

#include "explicit/symmetry.h"

// Fills `control` and `owners`. Threads whose parts stand in another order than those of the thread that they are equal
// to become equal to none. False: the state cannot be exchanged at all.
bool symmetry_layout_find(Symmetry *symmetry);
void control_cells_free(ControlCells *control);

#endif
