// The check of lassos by simulation.
#ifndef HEDDLE_CIRCUIT_METHODS_LASSO_CHECK_H
#define HEDDLE_CIRCUIT_METHODS_LASSO_CHECK_H

#include "circuit/methods/method.h"

// Is the trace a lasso that the question asks for? Every method asserts it, and the engine checks it.
bool lasso_is_valid(const Question *question);

#endif
