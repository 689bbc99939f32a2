// Proofs by cases: shows, one state after the other, that an edge leads from a set of states into another set.
//
// A set of reached states is often small. The values of the state words then determine where an edge leads. The proof
// evaluates terms in each state. It relies on the meaning of the diagrams' nodes, and not on the code that built the
// diagrams (bits, relations, images). A solver would get the same sets as formulas with choices between bits, which
// solvers handle slowly.
#ifndef HEDDLE_REACH_DOMAINS_DIAGRAM_CASES_H
#define HEDDLE_REACH_DOMAINS_DIAGRAM_CASES_H

#include "symbolic/bdd_states.h"

// Shows that no state of `before` can take the edge to a state outside `after`. If `after` is BDD_FALSE, this means
// that no state of `before` can take the edge at all. With `missed`, it shows instead that no state of `before` meets
// an unforeseen pointer on the edge. False: this could not be shown by cases.
bool bdd_cases_show(const BddStates *s, Bdd before, EdgeId edge, bool missed, Bdd after);

#endif
