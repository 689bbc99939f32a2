// The engine `replay` for formulas: all states of the unreduced program, the automaton of the formula beside them, and
// nothing symbolic, so that it is a second opinion on what `circuit` says.
//
// What executions are, and what formulas read of them, is in lasso.h. The parts: ltl_states.h (states and steps),
// ltl_graph.h (all of them), ltl_automaton.h (the formula), ltl_product.h (the search).
//
// SAFE: every state was visited, and nothing was sampled, cut or unforeseen. UNSAFE: with a lasso that the judge
// confirms. Options that it reads: --input-bits and --max-states; there is no reduction.
#ifndef HEDDLE_EXPLICIT_LTL_LTL_SEARCH_H
#define HEDDLE_EXPLICIT_LTL_LTL_SEARCH_H

#include "verdict/engine.h"
#include "verdict/verdict.h"

Result *ltl_search_run(Context *context);

#endif
