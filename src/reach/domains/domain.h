// Domains: what the label of a node says, and how it is found.
//
// A label is a number that only its domain understands, but for two: LABEL_TRUE says nothing, and a node with LABEL_FALSE
// is not reachable. A domain embeds `Domain` as its first member. It works on the tree of an `Explorer`.
//
// Some domains *merge*: labels that arrive at a control vector where a node still waits are joined into that node's, and
// links.h keeps the ways into it. What merges has no use for the paths in the tree until there is a goal: `refine` then
// settles one (explorer_settle).
//
// There are two ways to refine. A *lazy* domain strengthens the labels on an infeasible path, with explorer_strengthen
// alone, so that covers follow; labels only ever get stronger. Others have a precision, which says what `post` looks at; an
// infeasible path makes it grow, and what is below a node is built again.
//
// What a label says is a formula over state variables and *parameters*: variables that stand for no part of the state. A
// label with parameters holds for all their values.
#ifndef HEDDLE_REACH_DOMAINS_DOMAIN_H
#define HEDDLE_REACH_DOMAINS_DOMAIN_H

#include "reach/tree/candidates.h"

enum { LABEL_TRUE = 0, LABEL_FALSE = 1 };

// PATH_INFEASIBLE: and the labels say so now. PATH_REGROW: infeasible, and the precision grew.
typedef enum PathAnswer { PATH_INFEASIBLE, PATH_FEASIBLE, PATH_UNDECIDED, PATH_REGROW } PathAnswer;

// A step to be taken: from a node with the label `before`, along `edge`, to the control vector `to`; `missed`: the edge
// only meets a pointer that was not foreseen.
typedef struct Move {
  LabelId before;
  EdgeId edge;
  ControlId to;
  bool missed;
} Move;

typedef struct Domain Domain;
typedef struct DomainOperations {
  const char *name;
  bool lazy;
  bool merges;
  bool counts_turns; // control vectors tell how often threads went back (control.h), so that no way leads back to one
  bool goals_last;   // goals wait until nothing with as few turns is left
  void (*free)(Domain *domain);
  LabelId (*initial)(Domain *domain);
  // Appends the labels after the move, whose disjunction says where it may lead; none: the move is impossible.
  void (*post)(Domain *domain, const Move *move, U32Vector *labels);
  // --- domains that merge ---
  // What no label at the control vector says yet; LABEL_FALSE: nothing. The domain knows of it from then on. May be NULL:
  // everything is new.
  LabelId (*remainder)(Domain *domain, ControlId control, LabelId label);
  // The label of a node that waits with another that arrives; LABEL_FALSE: these two are better kept apart.
  LabelId (*join)(Domain *domain, LabelId waiting, LabelId arriving);
  // For the proof's checker: a formula that is satisfiable if a state of the node can take the edge to where no label at
  // `to` accounts for it. For a goal, or a pointer not foreseen: if it can be reached.
  Term (*escape)(Domain *domain, NodeId node, const Move *move, bool goal);
  // --- all ---
  // Does the label of `node` imply that of `coverer`? May be NULL: nothing is covered.
  bool (*covers)(Domain *domain, NodeId node, NodeId coverer);
  // The parts of a label (candidates.h): a label implies those whose parts it has, and others only if it has no parts itself
  // or they have none: false. May be NULL: no label has. Not for lazy domains, whose labels change.
  bool (*parts)(Domain *domain, LabelId label, LabelPartVector *parts);
  // Tries to make the label of `node` imply that of `coverer` (force cover); true if it does now. Lazy domains only.
  bool (*force)(Domain *domain, NodeId node, NodeId coverer);
  // Is the path to a goal feasible? If not, the labels on it are strengthened so that the goal's is false, or the
  // precision grows, and `pivot` is set.
  PathAnswer (*refine)(Domain *domain, NodeId goal);
  // Does the label exclude the condition (over the state at the node)?
  bool (*excludes)(Domain *domain, NodeId node, Term condition);
  // Tries to strengthen the labels on the path to the node so that its own excludes the condition. Lazy domains only.
  bool (*exclude)(Domain *domain, NodeId node, Term condition);
  // Over the state at the node. Where turns are counted, labels are about paths: only that of the root is asked for.
  Term (*formula)(const Domain *domain, LabelId label);
} DomainOperations;

struct Domain {
  const DomainOperations *operations;
  const char *undecided; // why the last path was left undecided; NULL: the budget was
  const char *failed;    // the domain can go on no more, and this is why; NULL: it can. Labels mean nothing then
  NodeId pivot;          // after PATH_REGROW: its label and all below it are to be built again
  NodeId reached;        // after PATH_FEASIBLE: which goal is; domains that merge ask about all that wait
};

#endif
