#include "reach/waitlist.h"

void waitlist_init(Waitlist *waitlist, SearchOrder order, Account *account) {
  *waitlist = (Waitlist){.order = order};
  U32Vector_init(&waitlist->goals, account);
  U32Vector_init(&waitlist->nodes, account);
}

void waitlist_free(Waitlist *waitlist) {
  U32Vector_free(&waitlist->nodes);
  U32Vector_free(&waitlist->goals);
}

void waitlist_clear(Waitlist *waitlist) {
  U32Vector_clear(&waitlist->goals);
  U32Vector_clear(&waitlist->nodes);
  waitlist->next = 0;
}

void waitlist_add(Waitlist *waitlist, Tree *tree, NodeId node) {
  TreeNode *n = tree_node(tree, node);
  if (n->waiting) return;
  n->waiting = true;
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
  if (waitlist->goals.count > 0)
    node = U32Vector_pop(&waitlist->goals);
  else if (waitlist->order == SEARCH_BREADTH_FIRST)
    node = take_oldest(waitlist);
  else if (waitlist->nodes.count > 0)
    node = U32Vector_pop(&waitlist->nodes);
  if (node != NO_ID) tree_node(tree, node)->waiting = false;
  return node;
}
