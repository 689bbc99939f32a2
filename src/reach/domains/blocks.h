// Predicates with adjustable blocks (paper: "SMT-based Model Checking of Concurrent Programs", Kolesnykov, section 2.5.2):
// what is tracked is found out only where a thread comes to the head of a loop; in between there are path formulas.
//
// A label has two parts: what held where the block began (a label of the domain `predicate`), and the path formula since
// then (formulas.h), over the state at that point. Labels that meet inside a block are joined if their blocks began with
// the same. Where a block ends, predicates are abstracted from the whole formula, and a new block begins there, with
// any state of which those hold. The first block begins with the initial values. Only nodes where a block begins are
// covered, and cover: every cycle has one.
//
// A goal is possible as far as its own block tells. One path to it is chosen, block by block from the goal up: by a model
// of the block's formula in which the block ends in the state where the model of the next one began, if there is one. The
// interpolants of that path are tracked where its blocks begin (where that does not suffice, everything in them), and the
// graph is built again from the start.
#ifndef HEDDLE_REACH_DOMAINS_BLOCKS_H
#define HEDDLE_REACH_DOMAINS_BLOCKS_H

#include "reach/domains/formulas.h"
#include "reach/domains/predicate.h"

typedef struct BlockLabel {
  LabelId start; // of `predicate`: holds where the block began
  LabelId path;  // of `formulas`: what was done since then
  bool begins;   // nothing was: the node is where a block begins
  // If it begins, or as a goal: the last step of the block that ended there, and what held where that one began.
  LabelId ended_start, ended_path;
} BlockLabel;
VECTOR(BlockLabelVector, BlockLabel);

typedef struct BlocksDomain {
  Domain domain; // first
  Explorer *explorer;
  TermStore *terms;
  PredicateDomain predicate; // labels where blocks begin, precision, abstraction; it is not explored with
  Formulas formulas;
  BlockLabelVector labels; // from LABEL_FALSE + 1 on
  LabelId nothing;         // of `formulas`: nothing was done yet, in any state
  LabelId root;            // the first label
  ByteVector heads;        // per location: of a loop
  Solver *solver;          // for paths
  TermVector conditions;
  Account *account;
} BlocksDomain;

void blocks_domain_init(BlocksDomain *d, Explorer *explorer); // freed by its operations

#endif
