// Paths that a larger precision excludes: is a path to a goal excluded by the labels that `post` gives along it, and from
// where on does the tree have to be built again?
#ifndef HEDDLE_REACH_TREE_REGROW_H
#define HEDDLE_REACH_TREE_REGROW_H

#include "reach/tree/explore.h"

typedef struct GoalPath {
  Domain *domain;
  const Tree *tree;
  U32Vector edges, nodes; // the root's first; nodes[i] is where edges[i] starts
  NodeId goal;
  bool missed; // the last edge only meets a pointer that was not foreseen
} GoalPath;

void goal_path_open(GoalPath *path, Domain *domain, const Explorer *explorer, NodeId goal);
void goal_path_close(GoalPath *path);
// Do labels exclude the path, from the initial one on?
bool goal_path_is_excluded(const GoalPath *path);
// The last node of which the parent's label, as it is in the tree, suffices to exclude the path; 0: not even the root's.
NodeId goal_path_pivot(const GoalPath *path);

#endif
