// All domains by name.
#ifndef HEDDLE_REACH_DOMAINS_DOMAINS_H
#define HEDDLE_REACH_DOMAINS_DOMAINS_H

#include "reach/domains/blocks.h"
#include "reach/domains/diagrams.h"
#include "reach/domains/impact_label.h"
#include "reach/domains/path_formulas.h"
#include "reach/domains/predicate.h"
#include "reach/domains/product.h"
#include "reach/domains/values.h"

typedef union AnyDomain {
  Domain domain;
  LabelDomain label;
  ExplicitDomain values;
  PredicateDomain predicate;
  ProductDomain product;
  BddDomain bdd;
  PathDomain path;
  BlocksDomain blocks;
} AnyDomain;

// The name of the domain that the options --domain and --block select together.
const char *domain_name(const char *domain, const char *block);
// Opens the domain with a name that domain_name returned. Freed by its operations.
Domain *domain_open(AnyDomain *any, const char *name, Explorer *explorer);

#endif
