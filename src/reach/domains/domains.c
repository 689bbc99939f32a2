#include "reach/domains/domains.h"

const char *domain_name(const char *domain, const char *block) {
  if (strcmp(domain, "predicate") != 0) return domain;
  if (strcmp(block, "loop") == 0) return "blocks";
  return strcmp(block, "whole") == 0 ? "path" : domain; // with one block, a label is the formula of all paths
}

Domain *domain_open(AnyDomain *any, const char *name, Explorer *explorer) {
  if (strcmp(name, "explicit") == 0)
    explicit_domain_init(&any->values, explorer);
  else if (strcmp(name, "bdd") == 0)
    bdd_domain_init(&any->bdd, explorer);
  else if (strcmp(name, "predicate") == 0)
    predicate_domain_init(&any->predicate, explorer);
  else if (strcmp(name, "explicit+predicate") == 0)
    product_domain_init(&any->product, explorer);
  else if (strcmp(name, "blocks") == 0)
    blocks_domain_init(&any->blocks, explorer);
  else if (strcmp(name, "path") == 0)
    path_domain_init(&any->path, explorer);
  else
    label_domain_init(&any->label, explorer);
  return &any->domain;
}
