#include "reach/candidates.h"

void candidates_init(Candidates *candidates, Account *account) {
  U32Vector_init(&candidates->groups_at, account);
  CandidateGroupVector_init(&candidates->groups, account);
  CandidateVector_init(&candidates->entries, account);
  map_init(&candidates->exact, account);
}

void candidates_free(Candidates *candidates) {
  map_free(&candidates->exact);
  CandidateVector_free(&candidates->entries);
  CandidateGroupVector_free(&candidates->groups);
  U32Vector_free(&candidates->groups_at);
}

void candidates_clear(Candidates *candidates) {
  map_clear(&candidates->exact);
  CandidateVector_clear(&candidates->entries);
  CandidateGroupVector_clear(&candidates->groups);
  U32Vector_clear(&candidates->groups_at);
}

static uint64_t exact_key(const TreeNode *n) { return (uint64_t)n->control << 32 | n->label; }

void candidates_add(Candidates *candidates, const TreeNode *n, NodeId node, uint64_t shape) {
  while (candidates->groups_at.count <= n->control) U32Vector_push(&candidates->groups_at, NO_ID);
  uint32_t group = candidates->groups_at.data[n->control];
  while (group != NO_ID && candidates->groups.data[group].shape != shape) group = candidates->groups.data[group].older;
  if (group == NO_ID) {
    group = (uint32_t)candidates->groups.count;
    CandidateGroup added = {.shape = shape, .older = candidates->groups_at.data[n->control], .newest = NO_ID};
    CandidateGroupVector_push(&candidates->groups, added);
    candidates->groups_at.data[n->control] = group;
  }
  CandidateGroup *at = &candidates->groups.data[group];
  CandidateVector_push(&candidates->entries, (Candidate){.node = node, .older = at->newest});
  at->newest = (uint32_t)candidates->entries.count - 1;
  map_put(&candidates->exact, exact_key(n), node);
}

CandidateWalk candidates_of(const Candidates *candidates, const Tree *tree, NodeId node, uint64_t shape) {
  const TreeNode *n = tree_node(tree, node);
  CandidateWalk walk = {.candidates = candidates, .tree = tree, .node = n, .shape = shape, .entry = NO_ID};
  walk.group = n->control < candidates->groups_at.count ? candidates->groups_at.data[n->control] : NO_ID;
  return walk;
}

// Of the node's own shape: who has the very label, or covers who has it.
static NodeId find_equal(const CandidateWalk *walk) {
  NodeId equal = (NodeId)map_get_or(&walk->candidates->exact, exact_key(walk->node), NO_ID);
  if (equal != NO_ID && tree_is_covered(walk->tree, equal)) equal = tree_node(walk->tree, equal)->covered_by;
  return equal == NO_ID || tree_is_covered(walk->tree, equal) ? NO_ID : equal;
}

NodeId candidates_next(CandidateWalk *walk) {
  const Candidates *candidates = walk->candidates;
  for (;;) {
    while (walk->entry != NO_ID) {
      const Candidate *entry = &candidates->entries.data[walk->entry];
      walk->entry = entry->older;
      if (!tree_is_covered(walk->tree, entry->node)) return entry->node;
    }
    if (walk->group == NO_ID) return NO_ID;
    const CandidateGroup *group = &candidates->groups.data[walk->group];
    walk->group = group->older;
    if (group->shape != walk->shape) {
      walk->entry = group->newest;
      continue;
    }
    NodeId equal = find_equal(walk);
    if (equal != NO_ID) return equal;
  }
}
