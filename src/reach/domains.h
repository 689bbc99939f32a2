// All domains, by name.
#ifndef HEDDLE_REACH_DOMAINS_H
#define HEDDLE_REACH_DOMAINS_H

#include "reach/bdd.h"
#include "reach/blocks.h"
#include "reach/explicit.h"
#include "reach/label.h"
#include "reach/path.h"
#include "reach/predicate.h"
#include "reach/product.h"

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

// What the options --domain and --block mean together.
const char *domain_name(const char *domain, const char *block);
// `name` as domain_name gives it. Freed by its operations.
Domain *domain_open(AnyDomain *any, const char *name, Explorer *explorer);

#endif
