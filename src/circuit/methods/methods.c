#include "circuit/methods/lasso_method.h"

const Method *const circuit_methods[] = {
    &method_auto, &method_bmc, &method_bdd, &method_induction, &method_pdr, NULL,
};

const Method *method_find(const char *name) {
  assert(name);
  for (size_t i = 0; circuit_methods[i]; i++)
    if (strcmp(circuit_methods[i]->name, name) == 0) return circuit_methods[i];
  return NULL;
}

const LassoMethod *lasso_method_find(const char *name) {
  assert(name);
  static const LassoMethod *const methods[] = {&lasso_auto, &lasso_sat, &lasso_bdd, &lasso_pdr, &lasso_induction};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (strcmp(methods[i]->name, name) == 0) return methods[i];
  return NULL;
}
