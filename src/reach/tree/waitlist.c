#include "reach/tree/waitlist.h"

void waitlist_init(Waitlist *waitlist, SearchOrder order, Account *account) {
  *waitlist = (Waitlist){.order = order};
  U32Vector_init(&waitlist->goals, account);
  U32Vector_init(&waitlist->nodes, account);
  WaitingNodeVector_init(&waitlist->heap, account);
}

void waitlist_order_by_progress(Waitlist *waitlist, const ControlTable *controls, bool goals_last) {
  assert(waitlist->goals.count == 0 && waitlist->nodes.count == 0 && waitlist->heap.count == 0);
  waitlist->order = SEARCH_LEAST_PROGRESS;
  waitlist->controls = controls;
  waitlist->goals_last = goals_last;
}

void waitlist_free(Waitlist *waitlist) {
  WaitingNodeVector_free(&waitlist->heap);
  U32Vector_free(&waitlist->nodes);
  U32Vector_free(&waitlist->goals);
}

void waitlist_clear(Waitlist *waitlist) {
  U32Vector_clear(&waitlist->goals);
  U32Vector_clear(&waitlist->nodes);
  WaitingNodeVector_clear(&waitlist->heap);
  waitlist->next = 0;
}

// --- the heap: the node with the least priority comes first, then the older node ---

static bool goes_before(WaitingNode a, WaitingNode b) {
  return a.priority != b.priority ? a.priority < b.priority : a.node < b.node;
}

static void heap_push(WaitingNodeVector *heap, WaitingNode added) {
  WaitingNodeVector_push(heap, added);
  size_t at = heap->count - 1;
  for (; at > 0 && goes_before(added, heap->data[(at - 1) / 2]); at = (at - 1) / 2)
    heap->data[at] = heap->data[(at - 1) / 2];
  heap->data[at] = added;
}

static NodeId heap_pop(WaitingNodeVector *heap) {
  if (heap->count == 0) return NO_ID;
  NodeId first = heap->data[0].node;
  WaitingNode moved = WaitingNodeVector_pop(heap);
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
    if (child + 1 < heap->count && goes_before(heap->data[child + 1], heap->data[child])) child++;
    if (!goes_before(heap->data[child], moved)) break;
    heap->data[at] = heap->data[child];
  }
  if (heap->count > 0) heap->data[at] = moved;
  return first;
}

static uint64_t priority_of(const Waitlist *waitlist, const TreeNode *node) {
  assert(waitlist->controls != NULL);
  uint64_t progress = control_progress(waitlist->controls, node->control);
  if (!node->goal) return progress;
  return waitlist->goals_last ? progress | ((UINT64_C(1) << 40) - 1) : 0;
}

// --- the list ---

void waitlist_add(Waitlist *waitlist, Tree *tree, NodeId node) {
  TreeNode *n = tree_node(tree, node);
  if (n->waiting) return;
  n->waiting = true;
  if (waitlist->order == SEARCH_LEAST_PROGRESS)
    heap_push(&waitlist->heap, (WaitingNode){.priority = priority_of(waitlist, n), .node = node});
  else
    U32Vector_push(n->goal ? &waitlist->goals : &waitlist->nodes, node);
}

static NodeId take_oldest(Waitlist *waitlist) {
  U32Vector *nodes = &waitlist->nodes;
  if (waitlist->next == nodes->count) return NO_ID;
  NodeId node = nodes->data[waitlist->next++];
  if (waitlist->next > 4096 && waitlist->next * 2 > nodes->count) {
    size_t left = nodes->count - waitlist->next;
    memmove(nodes->data, nodes->data + waitlist->next, left * sizeof(uint32_t));
    nodes->count = left;
    waitlist->next = 0;
  }
  return node;
}

NodeId waitlist_take(Waitlist *waitlist, Tree *tree) {
  NodeId node = NO_ID;
  if (waitlist->order == SEARCH_LEAST_PROGRESS)
    node = heap_pop(&waitlist->heap);
  else if (waitlist->goals.count > 0)
    node = U32Vector_pop(&waitlist->goals);
  else if (waitlist->order == SEARCH_BREADTH_FIRST)
    node = take_oldest(waitlist);
  else if (waitlist->nodes.count > 0)
    node = U32Vector_pop(&waitlist->nodes);
  assert(node == NO_ID || tree_node(tree, node)->waiting);
  if (node != NO_ID) tree_node(tree, node)->waiting = false;
  return node;
}
