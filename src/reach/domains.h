// All domains, by name.
#ifndef HEDDLE_REACH_DOMAINS_H
#define HEDDLE_REACH_DOMAINS_H

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
  PathDomain path;
} AnyDomain;

// `name` is one of the option `--domain`. Freed by its operations.
Domain *domain_open(AnyDomain *any, const char *name, Explorer *explorer);

#endif
