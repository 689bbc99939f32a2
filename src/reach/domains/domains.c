#include "reach/domains/domains.h"

Domain *domain_open(AnyDomain *any, DomainKind kind, Explorer *explorer) {
  switch (kind) {
  case DOMAIN_LABEL: label_domain_init(&any->label, explorer); break;
  case DOMAIN_EXPLICIT: explicit_domain_init(&any->values, explorer); break;
  case DOMAIN_PREDICATE: predicate_domain_init(&any->predicate, explorer); break;
  case DOMAIN_PRODUCT: product_domain_init(&any->product, explorer); break;
  case DOMAIN_BDD: bdd_domain_init(&any->bdd, explorer); break;
  case DOMAIN_PATH: path_domain_init(&any->path, explorer); break;
  case DOMAIN_BLOCKS: blocks_domain_init(&any->blocks, explorer); break;
  }
  assert(any->domain.operations != NULL);
  return &any->domain;
}
