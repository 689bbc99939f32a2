#include "reach/tree/merge_links.h"

void links_init(Links *links, Account *account) {
  LinkVector_init(&links->links, account);
  U32Vector_init(&links->newest, account);
}

void links_free(Links *links) {
  U32Vector_free(&links->newest);
  LinkVector_free(&links->links);
}

void links_clear(Links *links) {
  LinkVector_clear(&links->links);
  U32Vector_clear(&links->newest);
}

void links_add(Links *links, NodeId node, NodeId parent, EdgeId edge, LabelId label) {
  assert(node != parent && edge != NO_ID);
  while (links->newest.count <= node) U32Vector_push(&links->newest, NO_ID);
  Link link = {.node = node, .parent = parent, .edge = edge, .label = label, .older = links->newest.data[node]};
  links->newest.data[node] = (LinkId)links->links.count;
  LinkVector_push(&links->links, link);
}

LinkId links_along(const Links *links, const Tree *tree, NodeId parent, EdgeId edge, ControlId to) {
  if (to >= tree->newest.count) return NO_ID;
  for (NodeId m = tree->newest.data[to]; m != NO_ID; m = tree_node(tree, m)->same_control) {
    if (tree_node(tree, m)->goal) continue;
    for (LinkId l = links_newest(links, m); l != NO_ID; l = link_at(links, l)->older)
      if (link_at(links, l)->parent == parent && link_at(links, l)->edge == edge) return l;
  }
  return NO_ID;
}
