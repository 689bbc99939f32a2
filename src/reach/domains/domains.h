// All domains.
#ifndef HEDDLE_REACH_DOMAINS_DOMAINS_H
#define HEDDLE_REACH_DOMAINS_DOMAINS_H

#include "reach/domains/blocks.h"
#include "reach/domains/diagrams.h"
#include "reach/domains/impact_label.h"
#include "reach/domains/path_formulas.h"
#include "reach/domains/predicate.h"
#include "reach/domains/product.h"
#include "reach/domains/values.h"

typedef enum DomainKind {
  DOMAIN_LABEL,
  DOMAIN_EXPLICIT,
  DOMAIN_PREDICATE,
  DOMAIN_PRODUCT, // explicit+predicate
  DOMAIN_BDD,
  DOMAIN_PATH,
  DOMAIN_BLOCKS // predicate with --block loop
} DomainKind;

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

// Opens a domain of this kind. It is freed by its operations.
Domain *domain_open(AnyDomain *any, DomainKind kind, Explorer *explorer);

#endif
