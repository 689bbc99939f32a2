// The engine `reach`: abstract reachability. Domain `label` is Impact for concurrent programs (impact.h).
//
//   --reduction none|local|monotone   which interleavings are followed (reduction.h); default monotone
//   --force-cover yes|no              strengthen a new node's label to that of an earlier one where it holds; default yes
//   --block single|large              one access per step, or one visible access with the local steps around it
//   --search dfs|bfs                  which node is looked at next
//
// The preset `impara` is label, monotone, force cover.
#ifndef HEDDLE_REACH_REACH_H
#define HEDDLE_REACH_REACH_H

#include "verdict/engine.h"

extern const Engine reach_engine;

#endif
