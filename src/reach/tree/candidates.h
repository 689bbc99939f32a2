// Candidates: the nodes that were visited and may cover others, found by what their labels say.
//
// A label may be a set of *parts*: each says something (`what`) of one subject (`about`), and a label implies another if it
// has all its parts. Candidates of a control vector are in groups with equal subjects. In each group at most one label
// can be implied by a given one: that which says the same of the group's subjects. It is found at once by a hash, so that
// covers cost time for each group, of which there are few, and not for each node. What is found may be wrong, for hashes
// may collide, so it is still to be asked. Nodes whose labels are not such sets are all tried.
#ifndef HEDDLE_REACH_TREE_CANDIDATES_H
#define HEDDLE_REACH_TREE_CANDIDATES_H

#include "reach/tree/tree.h"

typedef struct LabelPart {
  uint64_t about, what;
} LabelPart;
VECTOR(LabelPartVector, LabelPart);

typedef struct CandidateGroup {
  uint64_t shape;        // of its subjects: a sum of hashes, whatever their order
  uint64_t filter;       // a bit for each subject, by its hash
  uint32_t first, count; // its subjects
  uint32_t older;        // another group of the control vector; NO_ID: none
} CandidateGroup;
VECTOR(CandidateGroupVector, CandidateGroup);

typedef struct OpaqueCandidate {
  NodeId node;
  uint32_t older; // another one of the control vector
} OpaqueCandidate;
VECTOR(OpaqueCandidateVector, OpaqueCandidate);

typedef struct Candidates {
  U32Vector groups_at; // per control vector: its newest group
  U32Vector opaque_at; // ... its newest node whose label has no parts
  CandidateGroupVector groups;
  OpaqueCandidateVector opaque;
  U64Vector subjects;
  Map exact; // hash of control vector, group and what is said -> the newest node
  Map said;  // for the walk: subject -> what the label says of it
} Candidates;

void candidates_init(Candidates *candidates, Account *account);
void candidates_free(Candidates *candidates);
void candidates_clear(Candidates *candidates);
// `parts` may be NULL: the label has none.
void candidates_add(Candidates *candidates, const Tree *tree, NodeId node, const LabelPartVector *parts);

// A walk over those that might cover a node and are not covered. One at a time.
typedef struct CandidateWalk {
  Candidates *candidates;
  const Tree *tree;
  ControlId control;
  uint64_t filter; // of what the label speaks of
  uint32_t group, opaque;
} CandidateWalk;

CandidateWalk candidates_of(Candidates *candidates, const Tree *tree, NodeId node, const LabelPartVector *parts);
NodeId candidates_next(CandidateWalk *walk); // NO_ID: no more

#endif
