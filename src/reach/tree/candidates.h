// Candidates: the visited nodes that may cover other nodes, found by what their labels say.
//
// A label may be a set of *parts*. A part says something (`what`) about one subject (`about`). A label implies another
// if it has all its parts. The candidates of a control vector are grouped by the subjects of their labels. In each
// group, a given label can imply at most one label: the one that says the same about the group's subjects. A hash finds
// it at once, so a search for covers costs time per group, and there are few groups, not per node. Hashes may collide,
// so the domain must still confirm each candidate (`covers` in domain.h). Nodes whose labels have no parts are all
// tried.
#ifndef HEDDLE_REACH_TREE_CANDIDATES_H
#define HEDDLE_REACH_TREE_CANDIDATES_H

#include "reach/tree/tree.h"

typedef struct LabelPart {
  uint64_t about, what;
} LabelPart;
VECTOR(LabelPartVector, LabelPart);

typedef struct CandidateGroup {
  uint64_t shape;        // a sum of the hashes of its subjects, which does not depend on their order
  uint64_t filter;       // a bit for each subject, by its hash
  uint32_t first, count; // its subjects
  uint32_t older;        // another group of the control vector; NO_ID: none
} CandidateGroup;
VECTOR(CandidateGroupVector, CandidateGroup);

typedef struct OpaqueCandidate {
  NodeId node;
  uint32_t older; // another such candidate of the control vector; NO_ID: none
} OpaqueCandidate;
VECTOR(OpaqueCandidateVector, OpaqueCandidate);

typedef struct Candidates {
  U32Vector groups_at; // per control vector: its newest group
  U32Vector opaque_at; // per control vector: its newest candidate whose label has no parts
  CandidateGroupVector groups;
  OpaqueCandidateVector opaque;
  U64Vector subjects;
  Map exact; // hash of control vector, group and parts -> the newest node
  Map said;  // for the walk: subject -> hash of what the label says about it
} Candidates;

void candidates_init(Candidates *candidates, Account *account);
void candidates_free(Candidates *candidates);
void candidates_clear(Candidates *candidates);
// `parts` may be NULL: the label has none.
void candidates_add(Candidates *candidates, const Tree *tree, NodeId node, const LabelPartVector *parts);

// A walk over the candidates that may cover a node and are not covered themselves. Only one walk at a time.
typedef struct CandidateWalk {
  Candidates *candidates;
  const Tree *tree;
  ControlId control;
  uint64_t filter; // of the subjects of the label
  uint32_t group, opaque;
} CandidateWalk;

CandidateWalk candidates_of(Candidates *candidates, const Tree *tree, NodeId node, const LabelPartVector *parts);
NodeId candidates_next(CandidateWalk *walk); // NO_ID: no more

#endif
