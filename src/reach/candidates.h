// Candidates: the nodes that were visited and may cover others, by control vector and shape of the label.
//
// The *shape* of a label is what it speaks of: two labels of one shape imply each other only if they are equal. So of the
// candidates of a node's own shape at most one is of interest, which is found at once; the others are few shapes, and
// mostly few nodes.
#ifndef HEDDLE_REACH_CANDIDATES_H
#define HEDDLE_REACH_CANDIDATES_H

#include "reach/tree.h"

typedef struct CandidateGroup {
  uint64_t shape;
  uint32_t older;  // another group of the control vector; NO_ID: none
  uint32_t newest; // entry
} CandidateGroup;
VECTOR(CandidateGroupVector, CandidateGroup);

typedef struct Candidate {
  NodeId node;
  uint32_t older; // entry of the same group
} Candidate;
VECTOR(CandidateVector, Candidate);

typedef struct Candidates {
  U32Vector groups_at; // per control vector: its newest group
  CandidateGroupVector groups;
  CandidateVector entries;
  Map exact; // control vector << 32 | label -> the newest node
} Candidates;

void candidates_init(Candidates *candidates, Account *account);
void candidates_free(Candidates *candidates);
void candidates_clear(Candidates *candidates);
void candidates_add(Candidates *candidates, const TreeNode *n, NodeId node, uint64_t shape);

// A walk over those that might cover a node with this label, but for covered ones.
typedef struct CandidateWalk {
  const Candidates *candidates;
  const Tree *tree;
  const TreeNode *node;
  uint64_t shape;
  uint32_t group, entry;
} CandidateWalk;

CandidateWalk candidates_of(const Candidates *candidates, const Tree *tree, NodeId node, uint64_t shape);
NodeId candidates_next(CandidateWalk *walk); // NO_ID: no more

#endif
