// The engine `order`: bounded model checking of threads as partially ordered events, after "Scheduling Constraint Based
// Abstraction Refinement for Multi-Threaded Program Verification" (Yin, Dong, Liu, Wang), with `--refine`:
//
//   graph   the paper's method: the abstraction omits the order of events; rules examine the event order graph of a
//           counterexample, and the kernel reasons of its contradictions become clauses; if the rules find no
//           contradiction, the exact order constraints decide
//   solver  the paper's SAT-CEGAR: only the exact order constraints, one clause per counterexample
//   eager   all order constraints from the start
//
// Loops are unwound deeper and deeper until no execution reaches the bound (then the answer is a proof), or up to
// `--unwind`.
#ifndef HEDDLE_ORDER_ORDER_H
#define HEDDLE_ORDER_ORDER_H

#include "verdict/engine.h"

extern const Engine order_engine;

#endif
