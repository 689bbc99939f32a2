// Paths that a larger precision excludes: do the labels that `post` gives along a path to a goal exclude the path, and
// from which node on must the tree be built again?
#ifndef HEDDLE_REACH_TREE_REGROW_H
#define HEDDLE_REACH_TREE_REGROW_H

#include "reach/tree/explore.h"

typedef struct GoalPath {
  Domain *domain;
  const Tree *tree;
  U32Vector edges, nodes; // from the root; nodes[i] is the source of edges[i]
  NodeId goal;
  bool missed; // the last edge is not taken: it meets a pointer whose target was not foreseen
} GoalPath;

void goal_path_open(GoalPath *path, Domain *domain, const Explorer *explorer, NodeId goal);
void goal_path_close(GoalPath *path);
// Do the labels that follow from the initial label exclude the path?
bool goal_path_is_excluded(const GoalPath *path);
// The last node on the path such that the label which its parent has in the tree suffices to exclude the rest of the
// path. 0: not even the root's label suffices.
NodeId goal_path_pivot(const GoalPath *path);

#endif
