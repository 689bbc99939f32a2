// The engine `reach`: abstract reachability (docs/reach.md).
//
// The program is unwound into a tree whose nodes have labels (tree/explore.h). Its parts can be exchanged:
//
//   --domain       what the labels say (domains/domain.h)
//   --reduction    which threads are expanded at a node (reduce/reduction.h)
//   --search       which node is visited next (tree/waitlist.h)
//   --block        how much one edge of the tree contains
//   --force-cover  strengthen the label of a new node so that an earlier node covers it (domains/force_cover.c)
//
// combination.h lists which of these go together and what `auto` means. The preset `impara` is Impact for concurrent
// programs: the domain `label` (domains/impact_label.h) with the reduction `monotone` and force cover.
#ifndef HEDDLE_REACH_REACH_H
#define HEDDLE_REACH_REACH_H

#include "verdict/engine.h"

extern const Engine reach_engine;

#endif
