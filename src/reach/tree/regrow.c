#include "reach/tree/regrow.h"

// If a node of the path would get more labels than this, the path counts as not excluded.
enum { MOST_LABELS = 128 };

void goal_path_open(GoalPath *path, Domain *domain, const Explorer *explorer, NodeId goal) {
  const Tree *tree = &explorer->tree;
  assert(tree_node(tree, goal)->parent != NO_ID);
  *path = (GoalPath){.domain = domain, .tree = tree, .goal = goal, .missed = tree_node(tree, goal)->missed};
  size_t length = tree_node(tree, goal)->depth;
  U32Vector_init(&path->edges, explorer->account);
  U32Vector_init(&path->nodes, explorer->account);
  U32Vector_resize(&path->edges, length);
  U32Vector_resize(&path->nodes, length);
  NodeId node = goal;
  for (size_t i = length; i-- > 0; node = tree_node(tree, node)->parent) {
    path->edges.data[i] = tree_node(tree, node)->edge;
    path->nodes.data[i] = tree_node(tree, node)->parent;
  }
}

void goal_path_close(GoalPath *path) {
  U32Vector_free(&path->nodes);
  U32Vector_free(&path->edges);
}

// Removes duplicate labels.
static void deduplicate(U32Vector *labels) {
  size_t kept = 0;
  for (size_t i = 0; i < labels->count; i++) {
    bool again = false;
    for (size_t k = 0; k < kept && !again; k++) again = labels->data[k] == labels->data[i];
    if (!again) labels->data[kept++] = labels->data[i];
  }
  labels->count = kept;
}

// Do the labels that follow from this label at the i-th node exclude the rest of the path?
static bool is_excluded_from(const GoalPath *path, size_t i, LabelId label) {
  if (label == LABEL_FALSE) return true;
  const Tree *tree = path->tree;
  U32Vector now, next; // labels
  U32Vector_init(&now, tree->account);
  U32Vector_init(&next, tree->account);
  U32Vector_push(&now, label);
  for (; i < path->edges.count && now.count > 0 && now.count <= MOST_LABELS; i++) {
    bool last = i + 1 == path->edges.count;
    NodeId to = last ? path->goal : path->nodes.data[i + 1];
    Move move = {.edge = path->edges.data[i], .to = tree_node(tree, to)->control, .missed = path->missed && last};
    U32Vector_clear(&next);
    for (size_t k = 0; k < now.count; k++) {
      move.before = now.data[k];
      path->domain->operations->post(path->domain, &move, &next);
    }
    deduplicate(&next);
    U32Vector swap = now;
    now = next;
    next = swap;
  }
  bool excluded = now.count == 0;
  U32Vector_free(&next);
  U32Vector_free(&now);
  return excluded;
}

bool goal_path_is_excluded(const GoalPath *path) {
  return is_excluded_from(path, 0, path->domain->operations->initial(path->domain));
}

NodeId goal_path_pivot(const GoalPath *path) {
  // The tree's labels were computed with a smaller precision, each from the label above it. So labels nearer to the
  // root mostly suffice if labels further down do, and bisection finds the last one that does. Enumeration and the
  // limits of abstraction may break this rule. Then the node that is found may not be the last one, but its label still
  // suffices.
  size_t low = 0, high = path->edges.count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (is_excluded_from(path, middle, tree_node(path->tree, path->nodes.data[middle])->label))
      low = middle;
    else
      high = middle;
  }
  if (low == 0 && !is_excluded_from(path, 0, tree_node(path->tree, 0)->label)) return 0;
  return low + 1 < path->nodes.count ? path->nodes.data[low + 1] : path->goal;
}
