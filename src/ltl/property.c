#include "ltl/property.h"

#include <ctype.h>

bool ltl_property_init(LtlProperty *property, const char *given, bool fair, Text *error, Account *account) {
  *property = (LtlProperty){.fair = fair};
  ltl_store_init(&property->store, account);
  LtlAtomVector_init(&property->atoms, account);
  arena_init(&property->arena, account);
  const char *text = given, *end = text + strlen(text);
  while (isspace((unsigned char)*text)) text++;
  while (end > text && isspace((unsigned char)end[-1])) end--;
  property->text = arena_format(&property->arena, "%.*s", (int)(end - text), text);
  if (!ltl_parse(&property->store, given, &property->formula, &property->atoms, &property->arena, error)) return false;
  property->negation = ltl_not(&property->store, property->formula);
  if (property->atoms.count <= MOST_ATOMS) return true;
  text_format(error, "column %u: more than %d different expressions", property->atoms.data[MOST_ATOMS].column,
              MOST_ATOMS);
  return false;
}

void ltl_property_free(LtlProperty *property) {
  arena_free(&property->arena);
  LtlAtomVector_free(&property->atoms);
  ltl_store_free(&property->store);
}
