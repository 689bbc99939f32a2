// Domains: what the label of a node says, and how it is computed.
//
// A label is a number that only its domain understands, with two exceptions: LABEL_TRUE says nothing, and a node with
// LABEL_FALSE is not reachable. A domain embeds `Domain` as its first member. It works on the tree of an `Explorer`. It
// fills the DomainOperations, a lazy domain also the LazyOperations, and a domain that merges also the
// MergingOperations.
//
// Some domains *merge*: if a label arrives at a control vector where a node still waits, it is joined into the label of
// that node. tree/merge_links.h keeps the steps by which labels arrived. A path to a node is not determined by the tree
// then. When there is a goal, `refine` chooses one path to it (explorer_choose_link).
//
// There are two ways to refine. A *lazy* domain strengthens the labels on an infeasible path. It does so only through
// explorer_strengthen, which updates the covers. Its labels only ever get stronger. Other domains have a precision,
// which says what `post` may express. An infeasible path makes the precision grow, and the subtree of a node is built
// again.
//
// A label is a formula over state variables and *parameters*: variables that stand for no part of the state. A label
// with parameters holds for all values of the parameters.
#ifndef HEDDLE_REACH_DOMAINS_DOMAIN_H
#define HEDDLE_REACH_DOMAINS_DOMAIN_H

#include "reach/tree/candidates.h"

enum { LABEL_TRUE = 0, LABEL_FALSE = 1 };

// PATH_INFEASIBLE: the path is infeasible, and the labels on it now exclude it. PATH_REGROW: the path is infeasible,
// and the precision grew, so that a part of the tree must be built again.
typedef enum PathAnswer { PATH_INFEASIBLE, PATH_FEASIBLE, PATH_UNDECIDED, PATH_REGROW } PathAnswer;

// A step to be taken: from a node with the label `before`, along `edge`, to the control vector `to`. With `missed`, the
// edge is not taken: its access meets a pointer whose target was not foreseen.
typedef struct Move {
  LabelId before;
  EdgeId edge;
  ControlId to;
  bool missed;
} Move;

typedef struct Domain Domain;

// Operations of lazy domains.
typedef struct LazyOperations {
  // Tries to make the label of `node` imply that of `coverer` (force cover). True: it does now.
  bool (*force)(Domain *domain, NodeId node, NodeId coverer);
  // Does the label of the node exclude the condition, which is over the state at the node?
  bool (*excludes)(Domain *domain, NodeId node, Term condition);
  // Tries to strengthen the labels on the path to the node so that the node's label excludes the condition.
  bool (*exclude)(Domain *domain, NodeId node, Term condition);
} LazyOperations;

// Operations of domains that merge.
typedef struct MergingOperations {
  bool counts_iterations; // control vectors count the loop iterations of threads (control.h), so none is reached again
  bool goals_last;        // a goal waits until all other nodes with at most its number of iterations were visited
  // The label of a waiting node joined with an arriving label; LABEL_FALSE: the domain keeps the two apart.
  LabelId (*join)(Domain *domain, LabelId waiting, LabelId arriving);
  // The states of the label that no earlier label at the control vector contains; LABEL_FALSE: there are none. The
  // domain remembers them as reached. May be NULL: then all states count as new.
  LabelId (*remainder)(Domain *domain, ControlId control, LabelId label);
  // For the checker of proofs. Returns a formula that is satisfiable if some state of the node can take the edge to a
  // state that no label at `to` contains. For a goal, or for a move with `missed`: if the move is possible at all.
  Term (*escape)(Domain *domain, NodeId node, const Move *move, bool goal);
} MergingOperations;

// Operations of all domains.
typedef struct DomainOperations {
  const char *name;
  const LazyOperations *lazy;       // NULL: the domain is not lazy
  const MergingOperations *merging; // NULL: the domain does not merge
  void (*free)(Domain *domain);
  LabelId (*initial)(Domain *domain);
  // Appends the labels after the move. Their disjunction holds in every state that the move leads to. If it appends no
  // label, the move is impossible.
  void (*post)(Domain *domain, const Move *move, U32Vector *labels);
  // Is the path to a goal feasible? If it is not, the labels on it are strengthened so that the goal's label is false,
  // or the precision grows and `pivot` is set.
  PathAnswer (*refine)(Domain *domain, NodeId goal);
  // The label as a formula over the state at the node. Where iterations are counted, labels describe paths, and only
  // the formula of the root's label is asked for.
  Term (*formula)(const Domain *domain, LabelId label);
  // Does the label of `node` imply that of `coverer`? May be NULL: then no node is covered.
  bool (*covers)(Domain *domain, NodeId node, NodeId coverer);
  // Appends the parts of a label (candidates.h). Returns false if the label has no parts. A label with parts implies
  // another label with parts exactly if it has all parts of that label. If one of the two labels has no parts, `covers`
  // decides. May be NULL: then no label has parts. Lazy domains must not have this operation: their labels change.
  bool (*parts)(Domain *domain, LabelId label, LabelPartVector *parts);
} DomainOperations;

struct Domain {
  const DomainOperations *operations;
  const char *undecided; // after PATH_UNDECIDED: the reason; NULL: the budget ended
  bool broken;           // `undecided` tells of a mistake of ours
  const char *failed;    // why the domain cannot continue, and labels mean nothing any more; NULL: it can continue
  NodeId pivot;          // after PATH_REGROW: its label and its subtree are to be built again
  NodeId reached;        // after PATH_FEASIBLE: the reachable goal; a merging domain may find another waiting one
};

// Does the domain count loop iterations in control vectors?
static inline bool domain_counts_iterations(const Domain *domain) {
  return domain->operations->merging && domain->operations->merging->counts_iterations;
}

#endif
