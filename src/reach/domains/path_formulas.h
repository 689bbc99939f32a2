// The domain `path`: bounded model checking (paper: "SMT-based Model Checking of Concurrent Programs", Kolesnykov, section
// 2.5.1). Nothing is abstracted: labels are path formulas (formulas.h), joined where ways meet.
//
// Control vectors count turns, so that no way leads back to one, and the waitlist takes them in an order in which every
// one is visited once, after all ways to it. A step back is taken if the condition is satisfiable with it: loops end
// where it is not. Goals wait for all else of their number of turns, and are then asked about together: one formula.
// When nothing is left and no goal is reachable, nothing was left out. The options may limit the turns, which is a cut.
//
// Limits: formulas grow with every turn, and loops that do not end are followed for ever.
#ifndef HEDDLE_REACH_DOMAINS_PATH_FORMULAS_H
#define HEDDLE_REACH_DOMAINS_PATH_FORMULAS_H

#include "reach/domains/formulas.h"
#include "reach/tree/explore.h"

typedef struct PathDomain {
  Domain domain;
  Explorer *explorer;
  TermStore *terms;
  Formulas formulas;
  Map factored; // cache of term_factor
  Solver *solver;
  bool has_model; // the solver has
  Account *account;
} PathDomain;

void path_domain_init(PathDomain *domain, Explorer *explorer);

#endif
