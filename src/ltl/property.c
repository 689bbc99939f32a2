#include "ltl/property.h"

bool ltl_property_init(LtlProperty *property, const char *text, bool fair, Text *error, Account *account) {
  *property = (LtlProperty){.fair = fair};
  ltl_store_init(&property->store, account);
  LtlAtomVector_init(&property->atoms, account);
  arena_init(&property->arena, account);
  return ltl_parse(&property->store, text, &property->formula, &property->atoms, &property->arena, error);
}

void ltl_property_free(LtlProperty *property) {
  arena_free(&property->arena);
  LtlAtomVector_free(&property->atoms);
  ltl_store_free(&property->store);
}
