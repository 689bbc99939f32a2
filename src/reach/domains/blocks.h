// Predicates with adjustable blocks (paper: "SMT-based Model Checking of Concurrent Programs", Kolesnykov, section
// 2.5.2). Predicates are abstracted only where a thread arrives at the head of a loop. Between such places labels are
// path formulas.
//
// A label has two parts: a label of the domain `predicate` that held where the block began, and the path formula since
// then (formulas.h), over the state at that point. Labels that meet inside a block are joined if their blocks began
// with the same label. Where a block ends, the predicates are abstracted from its whole formula, and a new block begins
// there in any state that satisfies them. The first block begins with the initial values. Only nodes where a block
// begins are covered or cover other nodes. Every cycle contains such a node.
//
// The label of a goal shows only that the goal is possible in its own block. One path to the goal is therefore chosen,
// block by block, from the goal upwards. If there is a model of a block's formula in which the block ends in the state
// where the model of the next block began, that model is used. The interpolants of the path are tracked where its
// blocks begin. If that does not suffice, they are tracked everywhere. Then the graph is built again from the start.
#ifndef HEDDLE_REACH_DOMAINS_BLOCKS_H
#define HEDDLE_REACH_DOMAINS_BLOCKS_H

#include "reach/domains/formulas.h"
#include "reach/domains/predicate.h"

typedef struct BlockLabel {
  LabelId start; // of `predicate`: holds where the block began
  LabelId path;  // of `formulas`: the path since then
  bool begins;   // the path is empty: a block begins at this node
  // If `begins`: the path of the block that ended here, with its last step, and what held where that block began.
  LabelId ended_start, ended_path;
} BlockLabel;
VECTOR(BlockLabelVector, BlockLabel);

typedef struct BlocksDomain {
  Domain domain; // first
  Explorer *explorer;
  TermStore *terms;
  PredicateDomain predicate; // labels where blocks begin, precision, abstraction; the explorer does not use it itself
  Formulas formulas;
  BlockLabelVector labels; // from LABEL_FALSE + 1 on
  LabelId empty_path;      // of `formulas`: no step was taken yet; the state may be any
  LabelId root;            // the first label
  ByteVector heads;        // per location: of a loop
  Solver *solver;          // for paths
  TermVector conditions;
  Account *account;
} BlocksDomain;

void blocks_domain_init(BlocksDomain *d, Explorer *explorer); // freed by its operations

#endif
