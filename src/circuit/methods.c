#include "circuit/method.h"

const Method *const circuit_methods[] = {
    &method_auto, &method_bmc, &method_bdd, &method_induction, &method_pdr, NULL,
};

const Method *method_find(const char *name) {
  for (size_t i = 0; circuit_methods[i]; i++)
    if (strcmp(circuit_methods[i]->name, name) == 0) return circuit_methods[i];
  return NULL;
}
