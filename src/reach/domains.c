#include "reach/domains.h"

Domain *domain_open(AnyDomain *any, const char *name, Explorer *explorer) {
  if (strcmp(name, "explicit") == 0)
    explicit_domain_init(&any->values, explorer);
  else if (strcmp(name, "predicate") == 0)
    predicate_domain_init(&any->predicate, explorer);
  else if (strcmp(name, "explicit+predicate") == 0)
    product_domain_init(&any->product, explorer);
  else if (strcmp(name, "path") == 0)
    path_domain_init(&any->path, explorer);
  else
    label_domain_init(&any->label, explorer);
  return &any->domain;
}
