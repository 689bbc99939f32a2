#include "reach/tree/tree.h"

void tree_init(Tree *tree, Account *account) {
  *tree = (Tree){.account = account};
  TreeNodeVector_init(&tree->nodes, account);
  U32Vector_init(&tree->newest, account);
}

void tree_free(Tree *tree) {
  U32Vector_free(&tree->newest);
  TreeNodeVector_free(&tree->nodes);
}

NodeId tree_add(Tree *tree, NodeId parent, EdgeId edge, ControlId control, LabelId label) {
  assert((parent == NO_ID) == (tree->nodes.count == 0));
  NodeId id = (NodeId)tree->nodes.count;
  TreeNode node = {.parent = parent,
                   .edge = edge,
                   .control = control,
                   .label = label,
                   .first_child = NO_ID,
                   .next_sibling = NO_ID,
                   .covered_by = NO_ID,
                   .first_covered = NO_ID,
                   .next_covered = NO_ID};
  if (parent != NO_ID) {
    TreeNode *above = tree_node(tree, parent);
    node.depth = above->depth + 1;
    node.below_cover = above->below_cover;
    node.next_sibling = above->first_child;
    above->first_child = id;
  }
  while (tree->newest.count <= control) U32Vector_push(&tree->newest, NO_ID);
  node.same_control = tree->newest.data[control];
  tree->newest.data[control] = id;
  TreeNodeVector_push(&tree->nodes, node);
  return id;
}

bool tree_is_ancestor(const Tree *tree, NodeId above, NodeId below) {
  while (tree_node(tree, below)->depth > tree_node(tree, above)->depth) below = tree_node(tree, below)->parent;
  return above == below;
}

NodeId tree_common_ancestor(const Tree *tree, NodeId a, NodeId b) {
  while (a != b) {
    if (tree_node(tree, a)->depth >= tree_node(tree, b)->depth)
      a = tree_node(tree, a)->parent;
    else
      b = tree_node(tree, b)->parent;
  }
  return a;
}

void tree_subtree(const Tree *tree, NodeId node, U32Vector *nodes) {
  size_t next = nodes->count;
  U32Vector_push(nodes, node);
  for (; next < nodes->count; next++)
    for (NodeId c = tree_node(tree, nodes->data[next])->first_child; c != NO_ID; c = tree_node(tree, c)->next_sibling)
      U32Vector_push(nodes, c);
}

// Adds to the count of covers above every node of a subtree.
static void count_cover(Tree *tree, NodeId node, int difference) {
  U32Vector nodes;
  U32Vector_init(&nodes, tree->account);
  tree_subtree(tree, node, &nodes);
  for (size_t i = 0; i < nodes.count; i++) tree_node(tree, nodes.data[i])->below_cover += (uint32_t)difference;
  U32Vector_free(&nodes);
}

void tree_uncover_all(Tree *tree, NodeId node, U32Vector *uncovered) {
  NodeId c = tree_node(tree, node)->first_covered;
  tree_node(tree, node)->first_covered = NO_ID;
  while (c != NO_ID) {
    TreeNode *covered = tree_node(tree, c);
    NodeId next = covered->next_covered;
    assert(covered->covered_by == node);
    covered->covered_by = NO_ID;
    covered->next_covered = NO_ID;
    if (covered->lost_covers < UINT8_MAX) covered->lost_covers++;
    count_cover(tree, c, -1);
    U32Vector_push(uncovered, c);
    c = next;
  }
}

// Removes all covers that nodes of the subtree give: nodes below a covered node cover nothing.
static void take_back_covers(Tree *tree, NodeId node, U32Vector *uncovered) {
  U32Vector nodes;
  U32Vector_init(&nodes, tree->account);
  tree_subtree(tree, node, &nodes);
  for (size_t i = 0; i < nodes.count; i++) tree_uncover_all(tree, nodes.data[i], uncovered);
  U32Vector_free(&nodes);
}

void tree_kill(Tree *tree, NodeId node, U32Vector *uncovered) {
  count_cover(tree, node, 1);
  take_back_covers(tree, node, uncovered);
}

void tree_cover(Tree *tree, NodeId node, NodeId coverer, U32Vector *uncovered) {
  TreeNode *covered = tree_node(tree, node);
  assert(covered->below_cover == 0 && tree_node(tree, coverer)->below_cover == 0);
  assert(coverer < node && covered->control == tree_node(tree, coverer)->control);
  covered->covered_by = coverer;
  covered->next_covered = tree_node(tree, coverer)->first_covered;
  tree_node(tree, coverer)->first_covered = node;
  count_cover(tree, node, 1);
  take_back_covers(tree, node, uncovered);
}

// Removes the cover that a node got.
static void uncover(Tree *tree, NodeId node) {
  TreeNode *covered = tree_node(tree, node);
  if (covered->covered_by == NO_ID) return;
  NodeId *link = &tree_node(tree, covered->covered_by)->first_covered;
  while (*link != node) link = &tree_node(tree, *link)->next_covered;
  *link = covered->next_covered;
  covered->covered_by = NO_ID;
  covered->next_covered = NO_ID;
  count_cover(tree, node, -1);
}

// Removes all descendants of `node`, with the covers that they and `node` gave and got. `node` then is as if it had
// never been expanded.
static void prune(Tree *tree, NodeId node, U32Vector *uncovered) {
  U32Vector nodes;
  U32Vector_init(&nodes, tree->account);
  tree_subtree(tree, node, &nodes);
  for (size_t i = 0; i < nodes.count; i++) tree_uncover_all(tree, nodes.data[i], uncovered);
  uncover(tree, node);
  for (size_t i = 1; i < nodes.count; i++) {
    uncover(tree, nodes.data[i]);
    TreeNode *gone = tree_node(tree, nodes.data[i]);
    gone->pruned = true;
    gone->below_cover++;
  }
  U32Vector_free(&nodes);
  TreeNode *n = tree_node(tree, node);
  n->first_child = NO_ID;
  n->expanded = n->owed = 0;
  n->visited = false;
}

void tree_drop_children(Tree *tree, NodeId node, EdgeId edge, bool missed, U32Vector *uncovered) {
  NodeId kept = NO_ID;
  for (NodeId child = tree_node(tree, node)->first_child, next; child != NO_ID; child = next) {
    TreeNode *c = tree_node(tree, child);
    next = c->next_sibling;
    if (c->edge != edge || c->missed != missed) {
      kept = child;
      continue;
    }
    if (kept == NO_ID)
      tree_node(tree, node)->first_child = next;
    else
      tree_node(tree, kept)->next_sibling = next;
    prune(tree, child, uncovered);
    c->pruned = true;
    c->below_cover++;
  }
}

void tree_clear(Tree *tree) {
  TreeNodeVector_clear(&tree->nodes);
  U32Vector_clear(&tree->newest);
}
