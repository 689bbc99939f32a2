// The domain `label` (paper 000): labels are conjunctions. They are true at first, and infeasible paths strengthen
// them.
//
// Nodes with equal labels share them (term/conjunction.h).
#ifndef HEDDLE_REACH_DOMAINS_IMPACT_LABEL_H
#define HEDDLE_REACH_DOMAINS_IMPACT_LABEL_H

#include "reach/refine/interpolate.h"
#include "reach/tree/cover.h"
#include "reach/tree/explore.h"

typedef struct LabelDomain {
  Domain domain; // first
  Explorer *explorer;
  TermStore *terms;
  ConjunctionTable labels;
  Implications implications;
  Interpolation interpolation;
  Account *account;
} LabelDomain;

_Static_assert((int)LABEL_TRUE == (int)CONJUNCTION_TRUE && (int)LABEL_FALSE == (int)CONJUNCTION_FALSE,
               "labels are conjunctions");

void label_domain_init(LabelDomain *d, Explorer *explorer); // freed by its operations

// --- between impact_label.c and force_cover.c ---
void label_strengthen(LabelDomain *d, NodeId node, Term formula);
bool label_force(Domain *domain, NodeId node, NodeId coverer);

#endif
