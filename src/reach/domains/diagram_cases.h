// Proofs by cases: that an edge leads from a set of states to states of another, shown for one state after the other.
//
// A set that a search has reached often has few states, and values of their words say where an edge leads: terms are
// evaluated, and nothing that built the diagrams (bits, relations, images) is relied upon, but what their nodes mean. A
// formula for a solver would be the same sets as choices between bits, which solvers are slow with.
#ifndef HEDDLE_REACH_DOMAINS_DIAGRAM_CASES_H
#define HEDDLE_REACH_DOMAINS_DIAGRAM_CASES_H

#include "symbolic/bdd_states.h"

// True: no state of `before` can take the edge to one that is not of `after`; or take it at all, if that is BDD_FALSE.
// `missed`: meet a pointer that was not foreseen. False: it could not be shown in this way.
bool bdd_cases_show(const BddStates *s, Bdd before, EdgeId edge, bool missed, Bdd after);

#endif
