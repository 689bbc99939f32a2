// The abstract reachability tree (paper: definition 3.1): nodes with a control vector and a label, and the covering
// relation.
//
// Node 0 is the root. A node is *covered* if it or an ancestor has a coverer. Only the coverer of the node itself is
// stored (`covered_by`). `below_cover` counts the nodes among its ancestors and itself that have a coverer or the label
// false. A coverer is not covered, is older than the nodes that it covers, and has the same control vector. The nodes
// of one control vector form a list, newest first. Pruned nodes stay in the vector and count as covered.
//
// `expanded` are the threads whose edges the node has. `owed` are the threads that it must have expanded once it is not
// covered: the reduction's choice for the node itself, and the choices for all nodes that it covers or covered,
// directly or through other coverers.
#ifndef HEDDLE_REACH_TREE_TREE_H
#define HEDDLE_REACH_TREE_TREE_H

#include "reach/tree/control.h"
#include "transition/transition.h"

typedef uint32_t NodeId, LabelId;

typedef struct TreeNode {
  NodeId parent;
  EdgeId edge; // from the parent
  ControlId control;
  LabelId label;
  NodeId first_child, next_sibling;
  NodeId covered_by;
  NodeId first_covered, next_covered; // the nodes that this one covers
  NodeId same_control;                // the next older node of its control vector
  uint32_t depth;
  uint32_t below_cover;
  ThreadMask expanded, owed;
  bool goal;    // an error or a cut; a leaf
  bool missed;  // a goal: a pointer whose target was not foreseen
  bool waiting; // in the waitlist
  bool asked;   // has its joint edges
  bool visited; // was taken from the waitlist and expanded: only such nodes cover other nodes
  bool pruned;
  uint8_t lost_covers; // how often it was uncovered, up to 255
} TreeNode;
VECTOR(TreeNodeVector, TreeNode);

typedef struct Tree {
  TreeNodeVector nodes;
  U32Vector newest; // per control vector: its newest node
  Account *account;
} Tree;

void tree_init(Tree *tree, Account *account);
void tree_free(Tree *tree);
NodeId tree_add(Tree *tree, NodeId parent, EdgeId edge, ControlId control, LabelId label); // parent NO_ID: the root
static inline TreeNode *tree_node(const Tree *tree, NodeId node) { return TreeNodeVector_at(&tree->nodes, node); }
static inline bool tree_is_covered(const Tree *tree, NodeId node) { return tree_node(tree, node)->below_cover > 0; }
bool tree_is_ancestor(const Tree *tree, NodeId above, NodeId below); // or the same
NodeId tree_common_ancestor(const Tree *tree, NodeId a, NodeId b);

// Covers `node`, which is not covered, by `coverer`. Nodes of its subtree cover nothing any more: the nodes that they
// covered are appended to `uncovered`.
void tree_cover(Tree *tree, NodeId node, NodeId coverer, U32Vector *uncovered);
// Removes all covers that `node` gives. The nodes that it covered are appended to `uncovered`.
void tree_uncover_all(Tree *tree, NodeId node, U32Vector *uncovered);
// The label of `node` became false: from now on its whole subtree counts as covered.
void tree_kill(Tree *tree, NodeId node, U32Vector *uncovered);
// Removes the subtrees of all children that the edge leads to and that have this value of `missed`.
void tree_drop_children(Tree *tree, NodeId node, EdgeId edge, bool missed, U32Vector *uncovered);
void tree_clear(Tree *tree); // no nodes at all
// Every node of a subtree, parents first.
void tree_subtree(const Tree *tree, NodeId node, U32Vector *nodes);

#endif
