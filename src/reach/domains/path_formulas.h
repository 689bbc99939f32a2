// The domain `path`: bounded model checking (paper: "SMT-based Model Checking of Concurrent Programs", Kolesnykov,
// section 2.5.1). Nothing is abstracted: labels are path formulas (formulas.h), joined where paths meet.
//
// Control vectors count loop iterations, so no path visits a control vector twice. The waitlist takes them in an order
// in which each is visited once, after all paths to it. A node that a backward edge led to is expanded only if its
// condition is satisfiable: loops end where it is not. Goals wait until all other nodes with their number of iterations
// were visited. Then one formula asks for all of them together. When no node waits and no goal is reachable, nothing
// was left out. The options may limit the number of iterations, which is a cut.
//
// Limits: formulas grow with every iteration, and loops that do not end are followed for ever.
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
  bool has_model; // the solver has a model of its last query
  Account *account;
} PathDomain;

void path_domain_init(PathDomain *domain, Explorer *explorer);

#endif
