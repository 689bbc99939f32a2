// Links: the steps that lead to the nodes of domains that merge.
//
// Several steps from several nodes lead to a merged node. Each of them is a link, with the label that arrived by it.
// The parent and the edge of the node in the tree are those of its first link, until a path is chosen
// (explorer_choose_link).
#ifndef HEDDLE_REACH_TREE_MERGE_LINKS_H
#define HEDDLE_REACH_TREE_MERGE_LINKS_H

#include "reach/tree/tree.h"

typedef uint32_t LinkId;

typedef struct Link {
  NodeId node, parent;
  EdgeId edge;
  LabelId label;
  LinkId older; // the link into the same node before this one; NO_ID: it is the first
} Link;
VECTOR(LinkVector, Link);

typedef struct Links {
  LinkVector links;
  U32Vector newest; // per node: its last link; NO_ID: it has none (the root)
} Links;

void links_init(Links *links, Account *account);
void links_free(Links *links);
void links_clear(Links *links);
void links_add(Links *links, NodeId node, NodeId parent, EdgeId edge, LabelId label);
static inline LinkId links_newest(const Links *links, NodeId node) {
  return node < links->newest.count ? links->newest.data[node] : NO_ID;
}
// The link along an edge from `parent` to a node at this control vector that is no goal; NO_ID: there is none.
LinkId links_along(const Links *links, const Tree *tree, NodeId parent, EdgeId edge, ControlId to);
static inline const Link *link_at(const Links *links, LinkId link) { return LinkVector_at(&links->links, link); }

#endif
